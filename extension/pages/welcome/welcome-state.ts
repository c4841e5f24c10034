import { computed, signal } from '@preact/signals';
import { parseTokenText, TOKEN_PREFIX } from '../../../shared/accounts/token-text.ts';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure, FailureCode, Settings } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import { shortenText } from '../../messaging/shorten-text.ts';
import type { Shortcut } from '../../ui/Shortcuts.tsx';
import { createServerForm } from '../../ui/server/server-form.ts';
import { isNoCurt } from '../../urls/server-origin.ts';

export type WelcomeTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  /** Whether the page is in a private window. */
  isPrivate: boolean;
  /** Whether the extension's button is in the toolbar. */
  readPinned(): Promise<boolean>;
};
export type WelcomeState = ReturnType<typeof createWelcomeState>;

/** An error with the field that it belongs to, or `link` for none. */
type Problem = { place: 'server' | 'key' | 'url' | 'link'; text: string };

/** A server, and the token to sign in with there; empty for none. */
type FieldValues = { origin: string; token: string };

/** Failures about the URL to shorten. */
const URL_FAILURES = new Set<FailureCode>(['text_not_url', 'invalid_url', 'url_has_secret']);
/** Failures that another server, or a token for this one, can solve, as those without a server can. */
const TOKEN_FAILURES = new Set<FailureCode>(['token_required', 'invalid_token']);

const EXAMPLE = 'https://example.com/an/example/of/a/url/that/nobody/wants/to/type';

/** Creates the state of getting started: a server, then a link. Nothing is sent before the user clicks a button. */
export function createWelcomeState(
  settings: Settings,
  shortcuts: Shortcut[],
  { send, copy, isPrivate, readPinned }: WelcomeTools,
) {
  let savedOrigin = settings.serverOrigin;
  const server = createServerForm(send, savedOrigin);
  /** Whether the organization's policy sets the server, so that nobody has to. */
  const isServerFixed = signal(false);
  /** The sign-in key of an existing account, until the server has recognized it. */
  const key = signal('');
  const isKeyInUse = signal(false);
  const url = signal(EXAMPLE);
  /** Why the last click failed, until the next one. */
  const problem = signal<Problem | undefined>(undefined);
  const isWorking = signal(false);
  const link = signal<LinkRecord | undefined>(undefined);
  const isNotSaved = signal(false);
  const isConnected = computed(() => link.value !== undefined || server.isCurt());
  /** A key that the server doesn't know, or that wasn't checked yet, would be needed for the first link. */
  const isServerDone = computed(
    () => isConnected.value && key.value === '' && !server.isTokenUnknown(),
  );
  const isPinned = signal(false);
  /** The text copied last, and whether that worked. */
  const copied = signal<{ text: string; isCopied: boolean } | undefined>(undefined);

  async function refreshPinned(): Promise<void> {
    isPinned.value = await readPinned();
  }

  function problemAt(place: Problem['place']): string | undefined {
    return problem.value?.place === place ? problem.value.text : undefined;
  }

  function report(failure: Failure, field = placeOf(failure)): void {
    const place = field === 'server' && isServerFixed.value ? 'link' : field;
    const isUnknownKey = place === 'key' && failure.code === 'invalid_token';
    problem.value = {
      place,
      text: isUnknownKey
        ? t('sign_in_rejected')
        : failureSentences(errorText(failure, savedOrigin)),
    };
    // The result of an earlier connection test is outdated.
    if (place === 'server') server.test.value = { name: 'idle' };
  }

  /** Reads the organization's policy, and the settings, which other pages change, too. */
  async function refreshSettings(): Promise<void> {
    const before = savedOrigin;
    const [policy, settings] = await Promise.all([
      send('readPolicy', {}),
      send('readSettings', {}),
    ]);
    if (!policy.ok || !settings.ok) return;
    isServerFixed.value = policy.data.fixed.includes('serverOrigin');
    // This page may have saved another one meanwhile.
    if (savedOrigin !== before && !isServerFixed.value) return;
    savedOrigin = settings.data.serverOrigin;
    const { value: address } = server.address;
    const isUnedited = address === before || isServerFixed.value;
    if (isUnedited && address !== savedOrigin) changeServer(savedOrigin);
  }

  /**
   * A key may be pasted instead of the address, or together with it, and a key with an address belongs to that
   * server.
   *
   * @returns whether the field contains a key, or nothing
   */
  function readKey(): boolean {
    const { value: address } = server.address;
    const instead = parseTokenText(address);
    if (instead?.origin || address.trim().startsWith(TOKEN_PREFIX)) changeKey(address);
    if (key.value.trim() === '') {
      key.value = '';
      return true;
    }
    const read = parseTokenText(key.value);
    if (!read) {
      problem.value = { place: 'key', text: t('token_malformed') };
      return false;
    }
    const isAddressGone = key.value === address;
    key.value = read.token;
    // A token alone doesn't say where it belongs, and isn't sent to a server that nobody has named.
    if (read.origin) changeServer(read.origin);
    else if (isAddressGone) changeServer('');
    return true;
  }

  /** Signs in with the token, if there is one. @returns why that failed, if so */
  async function useKey({ origin, token }: FieldValues): Promise<Failure | undefined> {
    if (token === '') return undefined;
    const answer = await send('replaceToken', { origin, token });
    if (!answer.ok) return answer;
    // Another key may have been entered meanwhile.
    if (key.value === token) {
      key.value = '';
      isKeyInUse.value = true;
    }
    return undefined;
  }

  /** Saves the server in the field. @returns what the fields contain, if it is in use now */
  async function useServer(): Promise<FieldValues | undefined> {
    if (!readKey()) return undefined;
    const { value: token } = key;
    const origin = server.read();
    if (!origin) return undefined;
    const settings = await send('readSettings', {});
    const isInUse = settings.ok && settings.data.serverOrigin === origin;
    const answer = isInUse ? settings : await send('saveSettings', { serverOrigin: origin });
    if (answer.ok) savedOrigin = origin;
    else report(answer, 'server');
    return answer.ok ? { origin, token } : undefined;
  }

  /** Clears an error of the server or of no field, which the coming change may solve. */
  function clearServerProblem(): void {
    if (problem.value?.place !== 'url') problem.value = undefined;
  }

  async function connect(): Promise<void> {
    clearServerProblem();
    const values = await useServer();
    if (!values) return;
    await server.testConnection();
    // Otherwise the result says why. The user may also have changed the fields meanwhile.
    const isUnedited = key.value === values.token && server.address.value === values.origin;
    if (values.token === '' || !server.isCurt() || !isUnedited) return;
    const failure = await useKey(values);
    if (failure) report(failure, 'key');
    else await server.testConnection();
  }

  /** Connects to another address, as if it had been typed. */
  async function useAddress(origin: string): Promise<void> {
    changeServer(origin);
    await connect();
  }

  /** Takes everything along to another address of the same server, and connects to it. */
  async function moveServer(from: string, to: string): Promise<void> {
    clearServerProblem();
    const answer = await send('moveServer', { from, to });
    if (answer.ok) await useAddress(to);
    else report(answer, 'server');
  }

  function changeServer(text: string): void {
    server.change(text);
    isKeyInUse.value = false;
    clearServerProblem();
  }

  function changeKey(text: string): void {
    key.value = text;
    isKeyInUse.value = false;
    clearServerProblem();
  }

  function changeUrl(text: string): void {
    url.value = text;
    const place = problem.value?.place;
    if (place !== 'server' && place !== 'key') problem.value = undefined;
  }

  /** @returns where the error is, if no link was created */
  async function shorten(): Promise<Problem['place'] | undefined> {
    if (isWorking.value) return undefined;
    problem.value = undefined;
    link.value = undefined;
    isWorking.value = true;
    const values = await useServer();
    if (values) {
      const keyFailure = await useKey(values);
      const failure = keyFailure ?? (await createLink());
      const isUnknownKey = keyFailure?.code === 'invalid_token';
      if (failure) report(failure, isUnknownKey ? 'key' : placeOf(failure));
    }
    isWorking.value = false;
    return server.issue.value ? 'server' : problem.peek()?.place;
  }

  /** @returns why no link was created, if so */
  async function createLink(): Promise<Failure | undefined> {
    const answer = await shortenText(send, url.value, isPrivate);
    if (!answer.ok) return answer;
    link.value = answer.data;
    isNotSaved.value = answer.data.notSaved !== undefined;
    return undefined;
  }

  async function copyText(text: string): Promise<void> {
    copied.value = undefined;
    copied.value = { text, isCopied: await copy(text) };
  }

  /** Text on how copying went; empty before the first time. */
  function copyNote(text: string): string {
    if (copied.value?.text !== text) return '';
    return t(copied.value.isCopied ? 'copied' : 'not_copied');
  }

  return {
    shortcuts,
    server,
    isServerFixed,
    refreshSettings,
    key,
    isKeyInUse,
    changeKey,
    url,
    problemAt,
    isWorking,
    link,
    isNotSaved,
    isConnected,
    isServerDone,
    isPinned,
    refreshPinned,
    connect,
    useAddress,
    moveServer,
    changeServer,
    changeUrl,
    shorten,
    copyText,
    copyNote,
  };
}

function placeOf({ code }: Failure): Problem['place'] {
  if (URL_FAILURES.has(code) || code.startsWith('page_')) return 'url';
  return isNoCurt(code) || TOKEN_FAILURES.has(code) ? 'server' : 'link';
}
