import { signal } from '@preact/signals';
import type { AccountResponse } from '../../../shared/accounts/account.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import type { Dashboard } from '../app/dashboard.ts';

export type Account = AccountResponse['data'];
export type AccountState = ReturnType<typeof createAccountState>;

/** The account as the server describes it. */
export function createAccountState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const account = signal<Account | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  async function refresh(): Promise<void> {
    const result = await api.call((client, token) => client.account(token));
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) account.value = result.data;
  }

  return { account, failure, refresh };
}
