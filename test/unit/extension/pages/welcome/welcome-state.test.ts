import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readPolicy } from '../../../../../extension/background/data/policy.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import type {
  FailureCode,
  Send,
  SettingsChange,
} from '../../../../../extension/messaging/protocol.ts';
import {
  createWelcomeState,
  type WelcomeState,
} from '../../../../../extension/pages/welcome/welcome-state.ts';
import { speak } from '../../support/speak.ts';

const TWO = 'https://two.example';

/** The background's response to a request for a link. */
let failure: FailureCode;
let state: WelcomeState;
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
    testConnection: () => ({
      ok: true,
      data: { outcome: 'connected', version: '0.1.0' },
    }),
  };
  sent = [];
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
  url: state.problemAt('url'),
  link: state.problemAt('link'),
});
const none = { server: undefined, url: undefined, link: undefined };

describe('a first link that can’t be created', () => {
  test.each<[FailureCode, 'server' | 'url' | 'link', string]>([
    ['unreachable', 'server', 'Can’t reach the server'],
    ['gateway_error', 'server', 'The server is unavailable'],
    ['token_required', 'server', 'This server requires a sign-in key'],
    ['invalid_url', 'url', 'This URL can’t be shortened'],
    ['page_url_too_long', 'url', 'This URL is too long'],
    ['account_limit', 'link', 'Too many new accounts from this network today'],
    ['storage_full', 'link', 'Curt’s storage is full'],
  ])('shows %s at the %s', async (code, place, title) => {
    failure = code;
    expect(await state.shorten()).toBe(place);
    expect(problems()).toEqual({ ...none, [place]: expect.stringContaining(title) });
  });

  test('leaves no error of the server below “Connected”', async () => {
    failure = 'unreachable';
    await state.shorten();
    await state.connect();
    expect(state.server.test.value).toMatchObject({ report: { outcome: 'connected' } });
    expect(problems()).toEqual(none);
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
