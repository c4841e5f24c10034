import { signal } from '@preact/signals';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import type { Api } from '../api/api.ts';
import type { Session } from './session.ts';

/** The name of the tokens, as the account page lists them. */
const TOKEN_NAME = 'Dashboard';

export type SingleSignOnParts = { session: Session; api: Api; origin: string };
export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** The sign-in without a token, if the proxy in front of the server knows who somebody is. */
export function createSingleSignOn({ session, api, origin }: SingleSignOnParts) {
  const identity = signal<string | undefined>(undefined);
  const issue = signal<string | undefined>(undefined);
  const isBusy = signal(false);

  /** Without single sign-on, or a server that answers, there is nothing to show. */
  async function refresh(): Promise<void> {
    const result = await api.callWith('', (client) => client.identity());
    identity.value = result.ok ? (result.data.identity ?? undefined) : undefined;
  }

  /** Until the tab is closed: the proxy decides how long somebody is signed in. */
  async function signIn(): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    const result = await api.callWith('', (client) => client.signIn(TOKEN_NAME));
    isBusy.value = false;
    issue.value = result.ok ? undefined : failureText(result, origin).text;
    if (result.ok) session.signIn(result.data.token, false);
  }

  return { identity, issue, isBusy, refresh, signIn };
}
