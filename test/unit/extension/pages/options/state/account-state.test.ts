import { signal } from '@preact/signals';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  readSettings,
  saveSettings,
} from '../../../../../../extension/background/data/settings.ts';
import { replaceToken, revealToken } from '../../../../../../extension/background/server/tokens.ts';
import type { Send } from '../../../../../../extension/messaging/protocol.ts';
import { createAccountState } from '../../../../../../extension/pages/options/state/account-state.ts';
import { createNote } from '../../../../../../extension/pages/options/state/note.ts';
import { speak } from '../../../support/speak.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
});

test('a recovery code names its own server even if another is chosen meanwhile', async () => {
  await saveSettings({ serverOrigin: ONE });
  await replaceToken(ONE, 'curt_of-one');
  const settings = signal(await readSettings());
  const copied: string[] = [];
  const send = (async (kind: string, ask: { origin: string }) => {
    if (kind !== 'revealToken') return { ok: true, data: [] };
    return { ok: true, data: (await revealToken(ask.origin, undefined)) ?? null };
  }) as unknown as Send;
  const account = createAccountState({
    send,
    copy: async (text) => copied.push(text) > 0,
    settings,
    note: createNote(),
    switchTo: async () => true,
    isServerFixed: () => false,
  });

  await account.copyCode();
  const copying = account.copyCode();
  const showing = account.toggle('text');
  settings.value = { ...settings.value, serverOrigin: TWO };
  await Promise.all([copying, showing]);
  expect(copied).toEqual([`curt:${ONE}#curt_of-one`]);
  expect(account.code.value).toBeUndefined();
  expect(account.shownAs.value).toBeUndefined();
});

test('a code of another server is refused if the organization sets the server', async () => {
  await saveSettings({ serverOrigin: ONE });
  const sent: string[] = [];
  const account = createAccountState({
    send: (async (kind: string) => {
      sent.push(kind);
      return { ok: true, data: [] };
    }) as unknown as Send,
    copy: async () => true,
    settings: signal(await readSettings()),
    note: createNote(),
    switchTo: async () => true,
    isServerFixed: () => true,
  });
  account.paste(`curt:${TWO}#curt_of-two`);
  await account.usePasted();
  expect(account.pastedIssue.value).toContain('Your organization sets the server.');
  expect([account.offer.value, sent]).toEqual([undefined, []]);
  account.paste(`curt:${ONE}#curt_of-one`);
  await account.usePasted();
  expect(sent).toContain('replaceToken');
});

test.each([
  ['of the server in use stays there, if another server is chosen meanwhile', '', []],
  ['of another server leads to that one', `curt:${TWO}#`, [TWO]],
])('a code %s', async (_title, server, expected) => {
  await saveSettings({ serverOrigin: ONE });
  const settings = signal(await readSettings());
  const switched: string[] = [];
  const note = createNote();
  const account = createAccountState({
    send: (async (kind: string) => {
      const serverOrigin = 'https://three.example';
      if (kind === 'replaceToken') settings.value = { ...settings.value, serverOrigin };
      return { ok: true, data: [] };
    }) as unknown as Send,
    copy: async () => true,
    settings,
    note,
    switchTo: async (serverOrigin) => {
      switched.push(serverOrigin);
      settings.value = { ...settings.value, serverOrigin };
      return true;
    },
    isServerFixed: () => false,
  });
  account.paste(`${server}curt_token`);
  await account.usePasted();
  await account.acceptOffer();
  expect(switched).toEqual(expected);
  // It is about the account that the page shows.
  expect(note.value !== undefined).toBe(expected.length > 0);
});
