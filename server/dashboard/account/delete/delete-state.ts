import { signal } from '@preact/signals';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Dashboard } from '../../app/dashboard.ts';

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
    const result = await api.call((client, token) => client.deleteAccount(token));
    isBusy.value = false;
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) session.signOut('account_deleted');
  }

  return { typed, issue, failure, isBusy, type, submit };
}
