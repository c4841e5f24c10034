import { signal } from '@preact/signals';
import { codeOf, parseTokenText } from '../../../shared/accounts/token-text.ts';
import { browserName } from '../../../shared/browser-name.ts';
import type { Failure, Result } from '../../../shared/client.ts';
import { failureSentences, failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Api } from '../api/api.ts';
import type { Session } from './session.ts';

export type SignInParts = {
  session: Session;
  api: Api;
  /** The origin of this server. */
  origin: string;
};
export type SignInState = ReturnType<typeof createSignInState>;

/** Creates the state of the form for a token. */
export function createSignInState({ session, api, origin }: SignInParts) {
  const tokenText = signal('');
  const stays = signal(false);
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);
  /**
   * Whether the token came with the address that was opened. It is used only after a click, since
   * somebody else may have made that address, to collect the links that are created in their account.
   */
  const isFromAddress = signal(false);

  /** Fills in a token from the address, unless its account is signed in already. */
  function offer(text: string): void {
    if (parseTokenText(text)?.token === session.token.value) return;
    enter(text);
    isFromAddress.value = true;
  }

  function enter(text: string): void {
    tokenText.value = text;
    issue.value = undefined;
  }

  function setStays(value: boolean): void {
    stays.value = value;
  }

  /** Whether signing in would delete the token of another account from this device. */
  function replacesLasting(): boolean {
    return stays.value && session.replacesLasting(parseTokenText(tokenText.value)?.token);
  }

  /** What a password manager calls the entered key: one entry for each. */
  function keyName(): string {
    const { token = '' } = parseTokenText(tokenText.value) ?? {};
    return `Curt ${token.replace(/^curt_/, '').slice(0, 6)}`.trim();
  }

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const read = parseTokenText(tokenText.value);
    issue.value = read ? otherServer(read.origin) : t('token_malformed');
    if (!read || issue.value) return;
    isBusy.value = true;
    const entered = tokenText.value;
    const result = await findAccount(read.token);
    isBusy.value = false;
    // A code works only once. Otherwise the user may have cancelled, or entered another one.
    if (tokenText.value !== entered && !(result.ok && codeOf(read.token))) return;
    if (result.ok) {
      session.signIn(result.data.token, stays.value, result.data.created);
      dismiss();
    } else if (result.code === 'invalid_token') issue.value = t('sign_in_rejected');
    else issue.value = explain(result);
  }

  /** Finds the account of the token that was entered, or of the one that a code is exchanged for. */
  async function findAccount(
    entered: string,
  ): Promise<Result<{ token: string; created?: string }>> {
    const code = codeOf(entered);
    if (code === undefined) {
      const known = await api.callWith(entered, (client) => client.getAccount());
      return known.ok ? { ok: true, data: { token: entered, created: known.data.created } } : known;
    }
    const name = browserName(navigator.userAgent);
    const made = await api.callWith(undefined, (client) =>
      client.redeemSignInCode({ body: { code, name } }),
    );
    if (!made.ok) return made;
    const { token } = made.data;
    // The code is used up, so the token is kept, whatever comes.
    const account = await api.callWith(token, (client) => client.getAccount());
    return { ok: true, data: { token, ...(account.ok && { created: account.data.created }) } };
  }

  const explain = (failure: Failure) => failureSentences(failureText(failure, origin));

  const singleSignOn = createSingleSignOn({
    session,
    async readIdentity() {
      const result = await api.callWith(undefined, (client) => client.getIdentity());
      return result.ok ? result.data.identity : undefined;
    },
    requestToken: () =>
      api.callWith(undefined, (client) =>
        client.signIn({ body: { name: t('sign_in_token_name') } }),
      ),
    async readAccount(token) {
      const result = await api.callWith(token, (client) => client.getAccount());
      return result.ok ? result.data.created : undefined;
    },
    explain,
  });

  function otherServer(of: string | undefined): string | undefined {
    if (of === undefined || of === origin) return undefined;
    return t('sign_in_other_server', new URL(of).host);
  }

  /** Stays in the account that is signed in. */
  function dismiss(): void {
    tokenText.value = '';
    issue.value = undefined;
    isFromAddress.value = false;
  }

  return {
    tokenText,
    canStay: allowsStorage(),
    stays,
    issue,
    isBusy,
    isFromAddress,
    singleSignOn,
    offer,
    enter,
    setStays,
    replacesLasting,
    keyName,
    submit,
    dismiss,
  };
}

/** Whether the browser lets this site keep something on the device. See `openStorage`. */
function allowsStorage(): boolean {
  try {
    return Boolean(window.localStorage);
  } catch {
    return false;
  }
}

type SingleSignOnParts = {
  session: Session;
  /** Returns whom the proxy names, if they may sign in. Without single sign-on, there is nobody. */
  readIdentity(): Promise<string | null | undefined>;
  requestToken(): Promise<Result<{ token: string }>>;
  /** Returns whose token it is, if that can be read. Absent where nothing is half-written. */
  readAccount?(token: string): Promise<string | undefined>;
  explain(failure: Failure): string;
};
export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** Creates the sign-in without a token, if the proxy in front of the server knows who somebody is. */
export function createSingleSignOn({
  session,
  readIdentity,
  requestToken,
  readAccount,
  explain,
}: SingleSignOnParts) {
  const identity = signal<string | undefined>(undefined);
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);

  async function refresh(): Promise<void> {
    identity.value = (await readIdentity()) ?? undefined;
  }

  /** Until the tab is closed: the proxy decides how long somebody is signed in. */
  async function signIn(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    const result = await requestToken();
    const account = result.ok ? await readAccount?.(result.data.token) : undefined;
    isBusy.value = false;
    issue.value = result.ok ? undefined : explain(result);
    if (result.ok) session.signIn(result.data.token, false, account);
  }

  return { identity, issue, isBusy, refresh, signIn };
}
