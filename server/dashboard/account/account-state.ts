import { signal } from '@preact/signals';
import type { AccountResponse } from '../../../shared/accounts/account.ts';
import type { Domain } from '../../../shared/accounts/usable-domains.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { Dashboard } from '../app/dashboard.ts';

export type OwnAccount = AccountResponse['data'];
export type AccountState = ReturnType<typeof createAccountState>;

/** Creates the state of the account as the server describes it. */
export function createAccountState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const account = signal<OwnAccount | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  async function refresh(): Promise<void> {
    const result = await api.call((client) => client.getAccount());
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) account.value = result.data;
  }

  return { account, failure, refresh };
}

export type DomainState = ReturnType<typeof createDomainState>;

/** Creates the state of the domains that the account may use, and the one of its new links. */
export function createDomainState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const domains = signal<Domain[]>([]);
  const failure = signal<FailureText | undefined>(undefined);
  const isSaved = signal(false);

  async function refresh(): Promise<void> {
    const result = await api.call((client) => client.listDomains());
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) domains.value = result.data;
  }

  async function choose(domain: string): Promise<void> {
    isSaved.value = false;
    const result = await api.call((client) => client.editAccount({ body: { domain } }));
    if (result.ok) await refresh();
    else failure.value = failureText(result, origin);
    isSaved.value = result.ok;
  }

  return { domains, failure, isSaved, refresh, choose };
}

/** What the user types to confirm, in every language: the API wants the same word. */
export const CONFIRMATION = 'delete';

export type DeleteState = ReturnType<typeof createDeleteState>;

/** Deletes the account once its deletion is confirmed by a typed word. */
export function createDeleteState({
  api,
  session,
  origin,
}: Pick<Dashboard, 'api' | 'session' | 'origin'>) {
  const typed = signal('');
  const issue = signal<string | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isBusy = signal(false);

  function type(text: string): void {
    typed.value = text;
    issue.value = undefined;
  }

  async function submit(): Promise<void> {
    if (isBusy.value) return;
    const isConfirmed = typed.value.trim().toLowerCase() === CONFIRMATION;
    issue.value = isConfirmed ? undefined : t('delete_account_unconfirmed', CONFIRMATION);
    if (!isConfirmed) return;
    isBusy.value = true;
    const result = await api.call((client) =>
      client.deleteAccount({ body: { confirm: 'delete' } }),
    );
    isBusy.value = false;
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) session.signOut('account_deleted');
  }

  return { typed, issue, failure, isBusy, type, submit };
}
