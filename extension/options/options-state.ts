import { computed, signal } from '@preact/signals';
import type { PlainKey } from '../i18n.ts';
import type { Answer, ConnectionReport, Send, Settings } from '../messages.ts';
import { parseServerAddress } from '../server-address.ts';
import type { Shortcut } from './shortcuts.ts';

export type TestState =
  | { name: 'idle' }
  | { name: 'testing' }
  | { name: 'failed' }
  | { name: 'done'; origin: string; report: ConnectionReport };

export type OptionsTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  readShortcuts(): Promise<Shortcut[]>;
  openShortcutSettings(): Promise<void>;
};
export type OptionsState = ReturnType<typeof createOptionsState>;

const TOKEN_SHAPE = /^\S{8,}$/;

/** All that the options page shows and does; its components only draw it. */
export function createOptionsState(
  settingsAtStart: Settings,
  { send, copy, readShortcuts, openShortcutSettings }: OptionsTools,
) {
  const settings = signal(settingsAtStart);
  const address = signal(settingsAtStart.serverOrigin);
  const addressIssue = signal<PlainKey | undefined>(undefined);
  const serverNote = signal<PlainKey | undefined>(undefined);
  const test = signal<TestState>({ name: 'idle' });

  const shortcuts = signal<Shortcut[]>([]);

  const hasToken = signal(false);
  const shownToken = signal<string | undefined>(undefined);
  const otherToken = signal('');
  const tokenIssue = signal<PlainKey | undefined>(undefined);
  const tokenNote = signal<PlainKey | undefined>(undefined);

  const serverHost = computed(() => new URL(settings.value.serverOrigin).host);
  const origin = () => settings.value.serverOrigin;

  /** The address in the field as an origin; else says what is wrong with it. */
  function readAddress(): string | undefined {
    const parsed = parseServerAddress(address.value);
    addressIssue.value = parsed.ok ? undefined : parsed.code;
    if (!parsed.ok) return undefined;
    address.value = parsed.origin;
    return parsed.origin;
  }

  function changeAddress(value: string): void {
    address.value = value;
    addressIssue.value = undefined;
    serverNote.value = undefined;
    test.value = { name: 'idle' };
  }

  async function save(change: Partial<Settings>): Promise<boolean> {
    const answer = await send('saveSettings', change);
    if (answer.ok) settings.value = answer.data;
    return answer.ok;
  }

  async function saveAddress(): Promise<void> {
    serverNote.value = undefined;
    const serverOrigin = readAddress();
    if (!serverOrigin) return;
    serverNote.value = (await save({ serverOrigin })) ? 'saved' : 'extension_failed_text';
    await lookForToken();
  }

  async function testConnection(): Promise<void> {
    const asked = readAddress();
    if (!asked || test.value.name === 'testing') return;
    test.value = { name: 'testing' };
    const answer = await send('testConnection', { origin: asked });
    // Meanwhile another address may have been typed.
    if (address.value !== asked) return;
    test.value = answer.ok
      ? { name: 'done', origin: asked, report: answer.data }
      : { name: 'failed' };
  }

  async function lookForToken(): Promise<void> {
    shownToken.value = undefined;
    tokenNote.value = undefined;
    tokenIssue.value = undefined;
    const answer = await send('hasToken', { origin: origin() });
    hasToken.value = answer.ok && answer.data;
  }

  async function lookForShortcuts(): Promise<void> {
    shortcuts.value = await readShortcuts();
  }

  async function readToken(): Promise<string | undefined> {
    const answer = await send('revealToken', { origin: origin() });
    return (answer.ok && answer.data) || undefined;
  }

  async function toggleToken(): Promise<void> {
    tokenNote.value = undefined;
    shownToken.value = shownToken.value === undefined ? await readToken() : undefined;
  }

  async function copyToken(): Promise<void> {
    tokenNote.value = undefined;
    const token = await readToken();
    tokenNote.value = token && (await copy(token)) ? 'token_copied' : 'token_copy_failed';
  }

  async function replaceToken(): Promise<void> {
    const token = otherToken.value.trim();
    tokenNote.value = undefined;
    tokenIssue.value = TOKEN_SHAPE.test(token) ? undefined : 'token_malformed';
    if (tokenIssue.value) return;
    const answer = await send('replaceToken', { origin: origin(), token });
    if (!answer.ok) {
      tokenIssue.value = answer.code === 'invalid_token' ? 'token_refused' : 'token_untested';
      return;
    }
    otherToken.value = '';
    await lookForToken();
    tokenNote.value = 'token_replaced';
  }

  async function forgetToken(): Promise<void> {
    const answer: Answer<true> = await send('forgetToken', { origin: origin() });
    await lookForToken();
    tokenNote.value = answer.ok ? 'token_forgotten' : 'extension_failed_text';
  }

  return {
    settings,
    address,
    addressIssue,
    serverNote,
    serverHost,
    test,
    hasToken,
    shownToken,
    otherToken,
    tokenIssue,
    tokenNote,
    shortcuts,
    changeAddress,
    save,
    saveAddress,
    testConnection,
    lookForToken,
    lookForShortcuts,
    changeShortcuts: openShortcutSettings,
    toggleToken,
    copyToken,
    replaceToken,
    forgetToken,
  };
}
