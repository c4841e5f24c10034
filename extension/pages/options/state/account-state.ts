import { computed, type Signal, signal } from '@preact/signals';
import { formatRecoveryCode, parseRecoveryCode } from '../../../address/recovery-code.ts';
import { t } from '../../../i18n/translate.ts';
import type { Account, Answer, Send, Settings } from '../../../messaging/protocol.ts';
import { bad, formatForCopy, good, type NoteSignal } from './note.ts';

export type AccountParts = {
  send: Send;
  copy(text: string): Promise<boolean>;
  settings: Signal<Settings>;
  note: NoteSignal;
  /** Makes another server the one that is used. @returns whether that is saved */
  switchTo(origin: string): Promise<boolean>;
};
export type AccountState = ReturnType<typeof createAccountState>;

/** The account on the server in use, those on others, and the ways to take one along. */
export function createAccountState({ send, copy, settings, note, switchTo }: AccountParts) {
  const accounts = signal<Account[]>([]);
  /** In the page only while it is shown, as text or as a QR code. */
  const code = signal<string | undefined>(undefined);
  const shownAs = signal<'text' | 'qr' | undefined>(undefined);
  const pasted = signal('');
  const pastedIssue = signal<string | undefined>(undefined);
  /** A pasted code of another server, until the user says whether to switch. */
  const offer = signal<{ origin: string; token: string } | undefined>(undefined);

  const origin = computed(() => settings.value.serverOrigin);
  const current = computed(() => accounts.value.find((one) => one.origin === origin.value));
  const others = computed(() => accounts.value.filter((one) => one.origin !== origin.value));

  async function look(): Promise<void> {
    hide();
    const answer = await send('listAccounts', {});
    if (answer.ok) accounts.value = answer.data;
    else note.value = bad(formatForCopy(answer, origin.value));
  }

  function hide(): void {
    code.value = undefined;
    shownAs.value = undefined;
  }

  async function readCode(replacedAt?: string): Promise<string | undefined> {
    const asked = origin.value;
    const answer = await send('revealToken', { origin: asked, replacedAt });
    if (answer.ok && answer.data) {
      // Meanwhile another server may be in use, and its account is what the page shows.
      return origin.value === asked ? formatRecoveryCode(asked, answer.data) : undefined;
    }
    if (!answer.ok) note.value = bad(formatForCopy(answer, asked));
    return undefined;
  }

  async function toggle(as: 'text' | 'qr'): Promise<void> {
    note.value = undefined;
    if (shownAs.value === as) return hide();
    code.value = await readCode();
    shownAs.value = code.value ? as : undefined;
  }

  async function copyCode(replacedAt?: string): Promise<void> {
    note.value = undefined;
    const read = await readCode(replacedAt);
    if (!read) return;
    note.value = (await copy(read)) ? good(t('code_copied')) : bad(t('code_copy_failed'));
  }

  function paste(text: string): void {
    pasted.value = text;
    pastedIssue.value = undefined;
  }

  async function usePasted(): Promise<void> {
    note.value = undefined;
    const read = parseRecoveryCode(pasted.value);
    pastedIssue.value = read ? undefined : t('code_malformed');
    if (!read) return;
    const { token } = read;
    if (read.origin && read.origin !== origin.value) offer.value = { origin: read.origin, token };
    else await useToken(origin.value, token);
  }

  async function acceptOffer(): Promise<void> {
    const accepted = offer.value;
    if (accepted) await useToken(accepted.origin, accepted.token);
  }

  async function useToken(at: string, token: string): Promise<void> {
    const before = accounts.value.find((one) => one.origin === at)?.replacedAt.length ?? 0;
    const answer = await send('replaceToken', { origin: at, token });
    if (!answer.ok) {
      pastedIssue.value = whyNot(answer.code) ?? formatForCopy(answer, at);
      return;
    }
    if (at !== origin.value && !(await switchTo(at))) return;
    pasted.value = '';
    await look();
    const isBeforeSaved = (current.value?.replacedAt.length ?? 0) > before;
    note.value = good(t(isBeforeSaved ? 'token_replaced_previous' : 'token_replaced'));
  }

  async function restore(replacedAt: string): Promise<void> {
    await tell(
      await send('restoreToken', { origin: origin.value, replacedAt }),
      t('token_restored'),
    );
  }

  async function forget(at: string, replacedAt?: string): Promise<void> {
    await tell(await send('removeToken', { origin: at, replacedAt }), t('token_removed'));
  }

  /** All tokens of another server. */
  async function removeAccount({ origin: at, hasToken, replacedAt }: Account): Promise<void> {
    for (const one of hasToken ? [undefined, ...replacedAt] : replacedAt) await forget(at, one);
  }

  async function tell(answer: Answer<true>, words: string): Promise<void> {
    await look();
    note.value = answer.ok ? good(words) : bad(formatForCopy(answer, origin.value));
  }

  return {
    origin,
    current,
    others,
    code,
    shownAs,
    pasted,
    pastedIssue,
    offer,
    look,
    toggle,
    copyCode,
    paste,
    usePasted,
    acceptOffer,
    restore,
    forget,
    removeAccount,
  };
}

/** The usual ends of trying a token on its server. */
function whyNot(code: string): string | undefined {
  switch (code) {
    case 'invalid_token':
      return t('token_rejected');
    case 'unreachable':
    case 'timeout':
    case 'gateway_error':
    case 'redirected':
    case 'unreadable_answer':
    case 'not_curt':
      return t('token_untested');
    default:
      return undefined;
  }
}
