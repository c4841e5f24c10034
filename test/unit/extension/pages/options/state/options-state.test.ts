import { signal } from '@preact/signals';
import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  replaceToken,
  revealToken,
} from '../../../../../../extension/background/account/tokens.ts';
import {
  readPolicy,
  readSettings,
  saveSettings,
} from '../../../../../../extension/background/data/settings.ts';
import type { SettingsChange } from '../../../../../../extension/messaging/protocol.ts';
import type { Send } from '../../../../../../extension/messaging/send.ts';
import { createAccountState } from '../../../../../../extension/pages/options/account-state.ts';
import { createNote } from '../../../../../../extension/pages/options/note.ts';
import { createOptionsState } from '../../../../../../extension/pages/options/options-state.ts';
import { speak } from '../../../support/speak.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';

const TOOLS = {
  copy: async () => true,
  saveFile: () => {},
  readShortcuts: async () => [],
  openShortcutSettings: async () => {},
};

type AccountParts = Parameters<typeof createAccountState>[0];

function newAccount(parts: Pick<AccountParts, 'send' | 'settings'> & Partial<AccountParts>) {
  return createAccountState({
    ...TOOLS,
    note: createNote(),
    switchTo: async () => true,
    isServerFixed: () => false,
    ...parts,
  });
}

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  await saveSettings({ serverOrigin: ONE });
});

test('a server chosen on another page is not overwritten by an outdated field', async () => {
  const send = (async (kind: string, ask: SettingsChange) => ({
    ok: true,
    data: kind === 'saveSettings' ? await saveSettings(ask) : [],
  })) as unknown as Send;
  const state = createOptionsState(await readSettings(), {
    send,
    ...TOOLS,
  });

  await saveSettings({ serverOrigin: TWO });
  await state.save({ skipPopup: true }, state.notes.shortening);
  await state.leaveAddress();
  expect((await readSettings()).serverOrigin).toBe(TWO);
  expect(state.server.address.value).toBe(TWO);
});

test('another address of the same server is used once the user agrees', async () => {
  const report = { outcome: 'connected', version: '1', movedFrom: ONE };
  const sent: unknown[] = [];
  const send = (async (kind: string, payload: SettingsChange) => {
    sent.push([kind, payload]);
    if (kind === 'testConnection') return { ok: true, data: report };
    return { ok: true, data: kind === 'saveSettings' ? await saveSettings(payload) : [] };
  }) as unknown as Send;
  const state = createOptionsState(await readSettings(), { send, ...TOOLS });
  state.server.change(TWO);
  await state.leaveAddress();
  expect((await readSettings()).serverOrigin).toBe(ONE);
  await state.moveServer(ONE, TWO);
  expect(sent).toContainEqual(['moveServer', { from: ONE, to: TWO }]);
  expect((await readSettings()).serverOrigin).toBe(TWO);
});

test('a policy that arrives later shows its server and fixes it, whatever is in the field', async () => {
  const answers: Record<string, () => Promise<unknown>> = { readPolicy, readSettings };
  const state = createOptionsState(await readSettings(), {
    send: (async (kind: string) => ({
      ok: true,
      data: (await answers[kind]?.()) ?? [],
    })) as unknown as Send,
    ...TOOLS,
  });
  await state.refreshPolicy();
  expect(state.isFixed('serverOrigin')).toBe(false);
  state.server.change('https://half-typed');
  await fakeBrowser.storage.managed.set({ server: TWO, copyFormat: 'nothing' });
  await state.refreshPolicy();
  expect(state.server.address.value).toBe(TWO);
  expect(state.isFixed('serverOrigin')).toBe(true);
  expect(state.isFixed('copyFormat')).toBe(false);
  expect(state.policy.value.invalid).toEqual(['copyFormat']);
});

test('a token names its own server even if another is chosen meanwhile', async () => {
  await replaceToken(ONE, 'curt_of-one');
  const settings = signal(await readSettings());
  const copied: string[] = [];
  const send = (async (kind: string, ask: { origin: string }) => {
    if (kind !== 'revealToken') return { ok: true, data: [] };
    return { ok: true, data: (await revealToken(ask.origin, undefined)) ?? null };
  }) as unknown as Send;
  const copy = async (text: string) => copied.push(text) > 0;
  const account = newAccount({ send, copy, settings });

  await account.copyToken();
  const copying = account.copyToken();
  const showing = account.toggle('text');
  settings.value = { ...settings.value, serverOrigin: TWO };
  await Promise.all([copying, showing]);
  expect(copied).toEqual([`curt:${ONE}#curt_of-one`]);
  expect(account.tokenText.value).toBeUndefined();
  expect(account.shownAs.value).toBeUndefined();
});

test('a code of another server is refused if the organization sets the server', async () => {
  const sent: string[] = [];
  const send = (async (kind: string) => {
    sent.push(kind);
    return { ok: true, data: [] };
  }) as unknown as Send;
  const settings = signal(await readSettings());
  const account = newAccount({ send, settings, isServerFixed: () => true });
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
  const settings = signal(await readSettings());
  const switched: string[] = [];
  const note = createNote();
  const send = (async (kind: string) => {
    const serverOrigin = 'https://three.example';
    if (kind === 'replaceToken') settings.value = { ...settings.value, serverOrigin };
    return { ok: true, data: [] };
  }) as unknown as Send;
  const switchTo = async (serverOrigin: string) => {
    switched.push(serverOrigin);
    settings.value = { ...settings.value, serverOrigin };
    return true;
  };
  const account = newAccount({ send, settings, note, switchTo });
  account.paste(`${server}curt_token`);
  await account.usePasted();
  await account.acceptOffer();
  expect(switched).toEqual(expected);
  // It is about the account that the page shows.
  expect(note.value !== undefined).toBe(expected.length > 0);
});
