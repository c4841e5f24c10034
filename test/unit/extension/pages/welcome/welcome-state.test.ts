import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  readPolicy,
  readSettings,
  saveSettings,
} from '../../../../../extension/background/data/settings.ts';
import type { FailureCode, SettingsChange } from '../../../../../extension/messaging/protocol.ts';
import type { Send } from '../../../../../extension/messaging/send.ts';
import {
  createWelcomeState,
  type WelcomeState,
} from '../../../../../extension/pages/welcome/welcome-state.ts';
import { speak } from '../../support/speak.ts';

const TWO = 'https://two.example';
const KEY = `curt_${'aB3-_'.repeat(8)}xyz`;

/** The background's response to a request for a link. */
let failure: FailureCode;
let state: WelcomeState;
/** Why the server refuses a key, if so. */
let keyFailure: FailureCode | undefined;
/** The servers and keys that were checked. */
let checkedKeys: unknown[];
/** What the connection test says. */
let outcome: string;
/** Messages that were sent to the background. */
let sent: string[];

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  const settings = await readSettings();
  const target = { url: 'https://example.com/page', fullUrl: '', removed: [] };
  const answers: Record<string, (ask: SettingsChange) => unknown> = {
    readPolicy: async () => ({ ok: true, data: await readPolicy() }),
    readSettings: async () => ({ ok: true, data: await readSettings() }),
    startUrl: () => ({ ok: true, data: { settings, target } }),
    createLink: () => ({ ok: false, code: failure }),
    saveSettings: async (ask) => ({ ok: true, data: await saveSettings(ask) }),
    testConnection: () => ({ ok: true, data: { outcome, version: '0.1.0' } }),
    replaceToken: (ask) => {
      checkedKeys.push(ask);
      return keyFailure ? { ok: false, code: keyFailure } : { ok: true, data: true };
    },
  };
  sent = [];
  keyFailure = undefined;
  checkedKeys = [];
  outcome = 'connected';
  const send = (async (kind: string, ask: SettingsChange) => {
    sent.push(kind);
    return answers[kind]?.(ask);
  }) as unknown as Send;
  const readPinned = async () => true;
  const tools = { send, copy: async () => true, isPrivate: false, readPinned };
  state = createWelcomeState(settings, [], tools);
});

const problems = () => ({
  server: state.problemAt('server'),
  key: state.problemAt('key'),
  url: state.problemAt('url'),
  link: state.problemAt('link'),
});
const none = { server: undefined, key: undefined, url: undefined, link: undefined };

describe('a first link that can’t be created', () => {
  test.each<[FailureCode, 'server' | 'url' | 'link', string]>([
    ['unreachable', 'server', 'Can’t reach the server'],
    ['gateway_error', 'server', 'The server is unavailable'],
    ['token_required', 'server', 'This server requires a sign-in key'],
    ['invalid_url', 'url', 'This URL can’t be shortened'],
    ['page_url_too_long', 'url', 'This URL is too long'],
    ['account_limit', 'link', 'Too many new accounts from this network today'],
    ['storage_failed', 'link', 'Your browser couldn’t save this'],
  ])('shows %s at the %s', async (code, place, title) => {
    failure = code;
    expect(await state.shorten()).toBe(place);
    expect(problems()).toEqual({ ...none, [place]: expect.stringContaining(title) });
  });

  test('leaves no “Connected” above an error of the server', async () => {
    await state.connect();
    failure = 'unreachable';
    await state.shorten();
    expect(state.server.test.value).toEqual({ name: 'idle' });
  });

  test('clears the error when the server is edited', async () => {
    failure = 'not_curt';
    await state.shorten();
    state.changeServer('https://curt.example');
    expect(problems()).toEqual(none);
  });

  test('marks only the server field for an invalid address', async () => {
    state.changeServer('exa mple.com');
    expect(await state.shorten()).toBe('server');
    expect(state.server.issue.value).toBe('address_invalid');
    expect(problems()).toEqual(none);
  });
});

test('the server in the field is the one in use, also if another was chosen in the settings', async () => {
  const one = state.server.address.value;
  await saveSettings({ serverOrigin: TWO });
  await state.connect();
  expect((await readSettings()).serverOrigin).toBe(one);

  await saveSettings({ serverOrigin: TWO });
  await state.refreshSettings();
  expect(state.server.address.value).toBe(TWO);
  state.changeServer('https://half-typed');
  await saveSettings({ serverOrigin: one });
  await state.refreshSettings();
  expect(state.server.address.value).toBe('https://half-typed');
});

describe('the sign-in key of an account', () => {
  test.each([
    ['a key below the address', 'https://two.example', KEY],
    ['a key for its server', 'http://localhost:2878', `curt:https://two.example#${KEY}`],
    ['a key for its server instead of the address', `curt:https://two.example#${KEY}`, ''],
    ['the dashboard’s address', `https://two.example/dashboard#${KEY}`, ''],
    ['the dashboard’s address as the key', '', ` https://two.example/dashboard#${KEY}`],
  ])('is used when pasted as %s', async (_, address, key) => {
    state.changeServer(address);
    state.changeKey(key);
    expect(state.isServerDone.value).toBe(false);
    await state.connect();
    expect(checkedKeys).toEqual([{ origin: TWO, token: KEY }]);
    expect((await readSettings()).serverOrigin).toBe(TWO);
    expect(state.server.address.value).toBe(TWO);
    expect(state.key.value).toBe('');
    expect(state.isKeyInUse.value).toBe(true);
    expect(state.isServerDone.value).toBe(true);
  });

  test('goes to no server that nobody has named', async () => {
    state.changeServer(` ${KEY}`);
    await state.connect();
    expect(sent).toEqual([]);
    expect(state.server.issue.value).toBe('address_empty');
    expect(state.key.value).toBe(KEY);
    state.changeServer(TWO);
    await state.connect();
    expect(checkedKeys).toEqual([{ origin: TWO, token: KEY }]);
  });

  test('goes to no server that isn’t Curt', async () => {
    outcome = 'not_curt';
    state.changeKey(KEY);
    await state.connect();
    expect(checkedKeys).toEqual([]);
    expect(state.key.value).toBe(KEY);
    expect(problems()).toEqual(none);
  });

  test('leaves its step open if the server doesn’t know it', async () => {
    keyFailure = 'invalid_token';
    state.changeKey(KEY);
    await state.connect();
    expect(problems()).toEqual({
      ...none,
      key: expect.stringContaining('doesn’t recognize this sign-in key'),
    });
    expect(state.isServerDone.value).toBe(false);
    // Without the key, the server would create an account.
    expect(await state.shorten()).toBe('key');
    expect(sent).not.toContain('createLink');
    state.changeKey('');
    expect(problems()).toEqual(none);
    expect(state.isServerDone.value).toBe(true);
  });

  test('is used for the first link without a click on “Connect”', async () => {
    failure = 'invalid_url';
    state.changeKey(KEY);
    expect(await state.shorten()).toBe('url');
    expect(sent.indexOf('replaceToken')).toBeLessThan(sent.indexOf('createLink'));
    expect(sent).toContain('replaceToken');
    expect(state.isKeyInUse.value).toBe(true);
  });

  test('is named if it isn’t whole', async () => {
    state.changeKey('curt:https://two.example');
    expect(await state.shorten()).toBe('key');
    expect(problems()).toEqual({ ...none, key: expect.stringContaining('isn’t a sign-in key') });
    expect(sent).toEqual([]);
  });

  test('leaves its step open if the server doesn’t know the one in use', async () => {
    outcome = 'token_unknown';
    await state.connect();
    expect(state.isConnected.value).toBe(true);
    expect(state.isServerDone.value).toBe(false);
  });
});

describe('with a server that the organization sets', () => {
  test('there is nothing to choose, and every error is at the link', async () => {
    await state.refreshSettings();
    expect(state.isServerFixed.value).toBe(false);
    state.changeServer('half typed');
    await fakeBrowser.storage.managed.set({ server: 's.example.com' });
    await state.refreshSettings();
    expect(state.isServerFixed.value).toBe(true);
    expect(state.server.address.value).toBe('https://s.example.com');
    failure = 'token_required';
    expect(await state.shorten()).toBe('link');
    expect(problems()).toEqual({
      ...none,
      link: expect.stringContaining('requires a sign-in key'),
    });
    expect(sent).not.toContain('saveSettings');
  });
});
