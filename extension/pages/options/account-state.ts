import { computed, type Signal, signal } from '@preact/signals';
import { formatTokenText, parseTokenText } from '../../../shared/accounts/token-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Result, ServerTokens, Settings } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import { isNoCurt } from '../../urls/server-origin.ts';
import { error, failureText, type NoteSignal, noteOf, success } from './note.ts';

type AccountParts = {
  send: Send;
  copy(text: string): Promise<boolean>;
  settings: Signal<Settings>;
  note: NoteSignal;
  /** Switches to another server. @returns whether that was saved */
  switchTo(origin: string): Promise<boolean>;
  /** Whether the organization's policy sets the server. */
  isServerFixed(): boolean;
};
export type AccountState = ReturnType<typeof createAccountState>;

/** Creates the state of the account on the current server, those on other servers, and the token in use. */
export function createAccountState(parts: AccountParts) {
  const { send, copy, settings, note, switchTo, isServerFixed } = parts;
  const servers = signal<ServerTokens[]>([]);
  /** The token with its server. Set only while it is shown, as text or as a QR code. */
  const tokenText = signal<string | undefined>(undefined);
  const shownAs = signal<'text' | 'qr' | undefined>(undefined);
  const pasted = signal('');
  const pastedIssue = signal<string | undefined>(undefined);
  /** A pasted token of another server, until the user decides whether to switch. */
  const offer = signal<{ origin: string; token: string } | undefined>(undefined);

  const origin = computed(() => settings.value.serverOrigin);
  const current = computed(() => servers.value.find((one) => one.origin === origin.value));
  const others = computed(() => servers.value.filter((one) => one.origin !== origin.value));

  async function refresh(): Promise<void> {
    hide();
    const answer = await send('listServers', {});
    if (answer.ok) servers.value = answer.data;
    else note.value = error(failureText(answer, origin.value));
  }

  function hide(): void {
    tokenText.value = undefined;
    shownAs.value = undefined;
  }

  async function readToken(replacedAt?: string): Promise<string | undefined> {
    const requested = origin.value;
    const answer = await send('revealToken', { origin: requested, replacedAt });
    if (answer.ok && answer.data) {
      // If the server changed meanwhile, the page shows another account.
      return origin.value === requested ? formatTokenText(requested, answer.data) : undefined;
    }
    if (!answer.ok) note.value = error(failureText(answer, requested));
    return undefined;
  }

  async function toggle(as: 'text' | 'qr'): Promise<void> {
    note.value = undefined;
    if (shownAs.value === as) return hide();
    tokenText.value = await readToken();
    shownAs.value = tokenText.value ? as : undefined;
  }

  async function copyToken(replacedAt?: string): Promise<void> {
    note.value = undefined;
    const read = await readToken(replacedAt);
    if (!read) return;
    note.value = (await copy(read)) ? success(t('token_copied')) : error(t('token_copy_failed'));
  }

  function paste(text: string): void {
    pasted.value = text;
    pastedIssue.value = undefined;
  }

  async function usePasted(): Promise<void> {
    note.value = undefined;
    const read = parseTokenText(pasted.value);
    pastedIssue.value = read ? undefined : t('token_malformed');
    if (!read) return;
    const { token } = read;
    if (!read.origin || read.origin === origin.value) await useToken(origin.value, token);
    else if (isServerFixed()) pastedIssue.value = t('managed_other_server');
    else offer.value = { origin: read.origin, token };
  }

  async function acceptOffer(): Promise<void> {
    const accepted = offer.value;
    if (accepted) await useToken(accepted.origin, accepted.token, true);
  }

  function declineOffer(): void {
    offer.value = undefined;
  }

  /** @param switches whether the user wants to use the token's server from now on */
  async function useToken(at: string, token: string, switches = false): Promise<void> {
    const before = servers.value.find((one) => one.origin === at)?.replacedAt.length ?? 0;
    const answer = await send('replaceToken', { origin: at, token });
    if (!answer.ok) {
      pastedIssue.value = isNoCurt(answer.code)
        ? t('token_untested')
        : answer.code === 'invalid_token'
          ? t('token_rejected')
          : failureText(answer, at);
      return;
    }
    if (switches && !(await switchTo(at))) return;
    pasted.value = '';
    await refresh();
    // The user may have chosen another server meanwhile.
    if (at !== origin.value) return;
    const hasNewPrevious = (current.value?.replacedAt.length ?? 0) > before;
    note.value = success(t(hasNewPrevious ? 'token_replaced_previous' : 'token_replaced'));
  }

  async function restore(replacedAt: string): Promise<void> {
    await finish(
      await send('restoreToken', { origin: origin.value, replacedAt }),
      t('token_restored'),
    );
  }

  async function removeToken(at: string, replacedAt?: string): Promise<void> {
    await finish(await send('removeToken', { origin: at, replacedAt }), t('token_removed'));
  }

  /** Removes all tokens of another server. */
  async function removeServer({ origin: at, hasToken, replacedAt }: ServerTokens): Promise<void> {
    for (const one of hasToken ? [undefined, ...replacedAt] : replacedAt)
      await removeToken(at, one);
  }

  /** Refreshes the servers and shows how a change went. */
  async function finish(answer: Result<true>, text: string): Promise<void> {
    await refresh();
    note.value = noteOf(answer, text, origin.value);
  }

  return {
    origin,
    current,
    others,
    tokenText,
    shownAs,
    pasted,
    pastedIssue,
    offer,
    refresh,
    toggle,
    copyToken,
    paste,
    usePasted,
    acceptOffer,
    declineOffer,
    restore,
    removeToken,
    removeServer,
  };
}
