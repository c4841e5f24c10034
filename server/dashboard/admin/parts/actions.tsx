import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Failure, Result } from '../../../../shared/client.ts';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { AdminApi } from '../api/admin-api.ts';
import type { AdminClient } from '../api/load-admin-client.ts';

type Server = { api: AdminApi; origin: string };
type Act<T> = (client: AdminClient) => Promise<Result<T>>;
export type Actions = ReturnType<typeof createActions>;

/** Carries out what an administrator has confirmed. @param refresh shows what follows from it */
export function createActions({ api, origin }: Server, refresh: () => Promise<void>) {
  const notice = signal<{ text: string; undo: Act<unknown> | undefined } | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  /** @param undo takes it back; undefined if nothing can */
  async function run<T>(act: Act<T>, done: string, undo?: Act<unknown>): Promise<Result<T>> {
    const result = await carryOut(act, done, undo);
    await refresh();
    return result;
  }

  /** The same for a form, which is ready for the next one before the page shows what follows. */
  async function submit<T>(act: Act<T>, done: string, undo?: Act<unknown>): Promise<Result<T>> {
    const result = await carryOut(act, done, undo);
    void refresh();
    return result;
  }

  async function carryOut<T>(act: Act<T>, done: string, undo?: Act<unknown>): Promise<Result<T>> {
    const result = await api.call(act);
    failure.value = result.ok ? undefined : adminFailure(result, origin);
    notice.value = result.ok ? { text: done, undo } : undefined;
    return result;
  }

  async function undo(): Promise<void> {
    const act = notice.value?.undo;
    if (act) await run(act, t('admin_undone'));
  }

  return { notice, failure, run, submit, undo };
}

/** Returns what a page reads when it opens, and what an administrator does with it. */
export function useData<T>(server: Server, read: (client: AdminClient) => Promise<Result<T>>) {
  const state = useMemo(() => {
    /** Undefined until it is loaded. */
    const data = signal<T | undefined>(undefined);
    const failure = signal<FailureText | undefined>(undefined);

    let latest = 0;

    async function refresh(): Promise<void> {
      const request = ++latest;
      const result = await server.api.call(read);
      // It was read again meanwhile.
      if (request !== latest) return;
      failure.value = result.ok ? undefined : adminFailure(result, server.origin);
      if (result.ok) data.value = result.data;
    }

    return { data, failure, refresh, actions: createActions(server, refresh) };
  }, [server]);
  useEffect(() => void state.refresh(), [state]);
  return state;
}

/** Renders what was done, with a button that takes it back if that is possible. */
export function ActionNotice({ actions }: { actions: Actions }) {
  const notice = actions.notice.value;
  return (
    <>
      <FailureNote failure={actions.failure.value} />
      <div role="status">
        {notice && (
          <div class="card">
            <p dir="auto">{notice.text}</p>
            {notice.undo && (
              <div class="buttons">
                <button type="button" class="button" onClick={actions.undo}>
                  {t('undo')}
                </button>
              </div>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const REASONS: { [C in Failure['code']]?: PlainKey } = {
  not_found: 'admin_failed_not_found',
  not_administrator: 'admin_failed_not_administrator',
  domain_exists: 'admin_failed_domain_exists',
  domain_in_use: 'admin_failed_domain_in_use',
};

/** Returns what went wrong for an administrator. Only the server's message says what is wrong with a URL. */
export function adminFailure(failure: Failure, origin: string): FailureText {
  const { code, message } = failure;
  if (code === 'rate_limited') return { ...failureText(failure, origin), text: t('try_later') };
  if (code === 'invalid_url') return { title: t('admin_not_done'), text: message, isEnglish: true };
  const reason = REASONS[code];
  return reason ? { title: t('admin_not_done'), text: t(reason) } : failureText(failure, origin);
}
