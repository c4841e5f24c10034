import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readPolicy } from '../../../../../../extension/background/data/policy.ts';
import {
  readSettings,
  saveSettings,
} from '../../../../../../extension/background/data/settings.ts';
import type { Send, SettingsChange } from '../../../../../../extension/messaging/protocol.ts';
import { createOptionsState } from '../../../../../../extension/pages/options/state/options-state.ts';
import { speak } from '../../../support/speak.ts';

const ONE = 'https://one.example';
const TWO = 'https://two.example';

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
});

test('a server chosen on another page is not overwritten by an outdated field', async () => {
  await saveSettings({ serverOrigin: ONE });
  const send = (async (kind: string, ask: SettingsChange) => ({
    ok: true,
    data: kind === 'saveSettings' ? await saveSettings(ask) : [],
  })) as unknown as Send;
  const state = createOptionsState(await readSettings(), {
    send,
    copy: async () => true,
    saveFile: () => {},
    readShortcuts: async () => [],
    openShortcutSettings: async () => {},
  });

  await saveSettings({ serverOrigin: TWO });
  await state.save({ skipPopup: true }, state.notes.shortening);
  await state.leaveAddress();
  expect((await readSettings()).serverOrigin).toBe(TWO);
  expect(state.server.address.value).toBe(TWO);
});

test('a policy that arrives later shows its server and fixes it, whatever is in the field', async () => {
  await saveSettings({ serverOrigin: ONE });
  const answers: Record<string, () => Promise<unknown>> = { readPolicy, readSettings };
  const state = createOptionsState(await readSettings(), {
    send: (async (kind: string) => ({
      ok: true,
      data: (await answers[kind]?.()) ?? [],
    })) as unknown as Send,
    copy: async () => true,
    saveFile: () => {},
    readShortcuts: async () => [],
    openShortcutSettings: async () => {},
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
