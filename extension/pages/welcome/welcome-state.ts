import { computed, signal } from '@preact/signals';
import { t } from '../../../shared/i18n/translate.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { LinkSummary } from '../../links/link.ts';
import type { Failure, FailureCode, Send, Settings } from '../../messaging/protocol.ts';
import { shortenText } from '../../messaging/shorten-text.ts';
import { createServerForm } from '../../ui/server/server-form.ts';
import type { Shortcut } from '../../ui/shortcuts/shortcuts.ts';

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
type Problem = { place: 'server' | 'url' | 'link'; text: string };

/** Failures about the URL to shorten. */
const URL_FAILURES = new Set<FailureCode>(['text_not_url', 'invalid_url', 'url_has_secret']);
/** Failures that another server, or a token for this one, can solve. */
const SERVER_FAILURES = new Set<FailureCode>([
  'unreachable',
  'timeout',
  'gateway_error',
  'redirected',
  'unreadable_answer',
  'not_curt',
  'token_required',
  'invalid_token',
]);

const EXAMPLE = 'https://example.com/an/example/of/a/url/that/nobody/wants/to/type';

/** Getting started: a server, then a link. Nothing is sent before the user clicks a button. */
export function createWelcomeState(
  settings: Settings,
  shortcuts: Shortcut[],
  { send, copy, isPrivate, readPinned }: WelcomeTools,
) {
  let savedOrigin = settings.serverOrigin;
  const server = createServerForm(send, savedOrigin);
  /** Whether the organization's policy sets the server, so that nobody has to. */
  const isServerFixed = signal(false);
  const url = signal(EXAMPLE);
  /** Why the last click failed, until the next one. */
  const problem = signal<Problem | undefined>(undefined);
  const isWorking = signal(false);
  const link = signal<LinkSummary | undefined>(undefined);
  const isNotSaved = signal(false);
  const isConnected = computed(() => link.value !== undefined || server.isCurt());
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
    const { title, text } = errorText(failure, savedOrigin);
    const place = field === 'server' && isServerFixed.value ? 'link' : field;
    problem.value = { place, text: t('title_and_text', title, text) };
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

  /** Saves the server in the field. @returns whether it is in use now */
  async function useServer(): Promise<boolean> {
    const origin = server.read();
    if (!origin) return false;
    const settings = await send('readSettings', {});
    const isInUse = settings.ok && settings.data.serverOrigin === origin;
    const answer = isInUse ? settings : await send('saveSettings', { serverOrigin: origin });
    if (answer.ok) savedOrigin = origin;
    else report(answer, 'server');
    return answer.ok;
  }

  /** Clears an error of the server or of no field, which the coming change may solve. */
  function clearServerProblem(): void {
    if (problem.value?.place !== 'url') problem.value = undefined;
  }

  async function connect(): Promise<void> {
    clearServerProblem();
    if (await useServer()) await server.testConnection();
  }

  /** Connects to another address, as if it had been typed. */
  async function useAddress(origin: string): Promise<void> {
    changeServer(origin);
    await connect();
  }

  function changeServer(text: string): void {
    server.change(text);
    clearServerProblem();
  }

  function changeUrl(text: string): void {
    url.value = text;
    if (problem.value?.place !== 'server') problem.value = undefined;
  }

  /** @returns where the error is, if no link was created */
  async function shorten(): Promise<Problem['place'] | undefined> {
    if (isWorking.value) return undefined;
    problem.value = undefined;
    link.value = undefined;
    isWorking.value = true;
    if (await useServer()) {
      const failure = await createLink();
      if (failure) report(failure);
    }
    isWorking.value = false;
    return server.issue.value ? 'server' : problem.peek()?.place;
  }

  /** @returns why no link was created, if so */
  async function createLink(): Promise<Failure | undefined> {
    const answer = await shortenText(send, url.value, isPrivate);
    if (!answer.ok) return answer;
    link.value = answer.data;
    isNotSaved.value = 'notSaved' in answer;
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
    url,
    problemAt,
    isWorking,
    link,
    isNotSaved,
    isConnected,
    isPinned,
    refreshPinned,
    connect,
    useAddress,
    changeServer,
    changeUrl,
    shorten,
    copyText,
    copyNote,
  };
}

function placeOf({ code }: Failure): Problem['place'] {
  if (URL_FAILURES.has(code) || code.startsWith('page_')) return 'url';
  return SERVER_FAILURES.has(code) ? 'server' : 'link';
}
