import { signal } from '@preact/signals';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Admin } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import { adminFailure } from './admin-failure.ts';

type Act<T> = (client: AdminClient) => Promise<Result<T>>;
export type Actions = ReturnType<typeof createActions>;

/** Carries out what an administrator has confirmed. @param refresh shows what follows from it */
export function createActions(
  { api, origin }: Pick<Admin, 'api' | 'origin'>,
  refresh: () => Promise<void>,
) {
  const notice = signal<{ text: string; undo: Act<unknown> | undefined } | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  /** @param undo takes it back; undefined if nothing can */
  async function run<T>(act: Act<T>, done: string, undo?: Act<unknown>): Promise<Result<T>> {
    const result = await api.call(act);
    failure.value = result.ok ? undefined : adminFailure(result, origin);
    notice.value = result.ok ? { text: done, undo } : undefined;
    await refresh();
    return result;
  }

  async function undo(): Promise<void> {
    const act = notice.value?.undo;
    if (act) await run(act, t('admin_undone'));
  }

  return { notice, failure, run, undo };
}
