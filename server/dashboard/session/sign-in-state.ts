import { signal } from '@preact/signals';
import { parseRecoveryCode } from '../../../shared/accounts/recovery-code.ts';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Api } from '../api/api.ts';
import type { Session } from './session.ts';
import { createSingleSignOn } from './single-sign-on.ts';

export type SignInParts = {
  session: Session;
  api: Api;
  /** The origin of this server. */
  origin: string;
  /** A token or recovery code with which the dashboard was opened, or an empty string. */
  code: string;
};
export type SignInState = ReturnType<typeof createSignInState>;

/** The form for a token or recovery code. */
export function createSignInState({ session, api, origin, code: openedCode }: SignInParts) {
  const code = signal('');
  const stays = signal(false);
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  /**
   * Whether the code came with the address that was opened. It is used only after a click, since
   * somebody else may have made that address, to collect the links that are created in their account.
   */
  const isFromAddress = signal(false);
  if (openedCode !== '') offer(openedCode);

  /** Fills in a code from the address, unless its account is signed in already. */
  function offer(text: string): void {
    if (parseRecoveryCode(text)?.token === session.token.value) return;
    enter(text);
    isFromAddress.value = true;
  }

  function enter(text: string): void {
    code.value = text;
    issue.value = undefined;
  }

  function setStays(value: boolean): void {
    stays.value = value;
  }

  /** Whether signing in would delete the token of another account from this device. */
  function replacesLasting(): boolean {
    return stays.value && session.replacesLasting(parseRecoveryCode(code.value)?.token);
  }

  /** What a password manager calls the entered key: one entry for each. */
  function keyName(): string {
    const { token = '' } = parseRecoveryCode(code.value) ?? {};
    return `Curt ${token.replace(/^curt_/, '').slice(0, 6)}`.trim();
  }

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const read = parseRecoveryCode(code.value);
    issue.value = read ? otherServer(read.origin) : t('code_malformed');
    if (!read || issue.value) return;
    isBusy.value = true;
    const entered = code.value;
    const result = await api.callWith(read.token, (client, token) => client.account(token));
    isBusy.value = false;
    // Meanwhile the user may have cancelled, or entered another code.
    if (code.value !== entered) return;
    if (result.ok) {
      session.signIn(read.token, stays.value);
      dismiss();
    } else if (result.code === 'invalid_token') issue.value = t('sign_in_rejected');
    else issue.value = failureText(result, origin).text;
  }

  function otherServer(of: string | undefined): string | undefined {
    if (of === undefined || of === origin) return undefined;
    return t('sign_in_other_server', new URL(of).host);
  }

  /** Stays in the account that is signed in. */
  function dismiss(): void {
    code.value = '';
    issue.value = undefined;
    isFromAddress.value = false;
  }

  return {
    code,
    stays,
    issue,
    isBusy,
    isFromAddress,
    singleSignOn: createSingleSignOn({ session, api, origin }),
    offer,
    enter,
    setStays,
    replacesLasting,
    keyName,
    submit,
    dismiss,
  };
}
