import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Page } from '../../../../shared/client/all-pages.ts';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import type { Admin } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import { createActions } from './actions.ts';
import { adminFailure } from './admin-failure.ts';

export type List<T> = ReturnType<typeof createList<T>>;

/** Rows that are read page by page. @param load reads a page, the first one without a cursor */
function createList<T>(
  load: (cursor: string | undefined) => Promise<Result<Page<T>>>,
  origin: string,
) {
  /** Undefined until they are loaded. */
  const rows = signal<T[] | undefined>(undefined);
  const nextCursor = signal<string | null>(null);
  const failure = signal<FailureText | undefined>(undefined);
  /** Grows with each page that was read. */
  const readings = signal(0);
  let latest = 0;

  async function read(cursor: string | undefined): Promise<void> {
    const request = ++latest;
    const result = await load(cursor);
    // The user has searched for something else meanwhile.
    if (request !== latest) return;
    failure.value = result.ok ? undefined : adminFailure(result, origin);
    if (!result.ok) return;
    const before = cursor === undefined ? [] : (rows.value ?? []);
    rows.value = [...before, ...result.data.data];
    readings.value += 1;
    nextCursor.value = result.data.nextCursor;
  }

  const refresh = () => read(undefined);
  const more = () => read(nextCursor.value ?? undefined);
  return { rows, nextCursor, failure, readings, refresh, more };
}

/** A list that a page reads when it opens, and what an administrator does with its rows. @param load as above */
export function useList<T>(
  admin: Admin,
  load: (client: AdminClient, cursor: string | undefined) => Promise<Result<Page<T>>>,
) {
  const state = useMemo(() => {
    const list = createList(
      (cursor) => admin.api.call((client) => load(client, cursor)),
      admin.origin,
    );
    return { list, actions: createActions(admin, list.refresh) };
  }, [admin]);
  useEffect(() => void state.list.refresh(), [state]);
  return state;
}

/** A page of everything, for a list that has no pages. */
export function allInOne<T>(result: Result<T[]>): Result<Page<T>> {
  return result.ok ? { ...result, data: { data: result.data, nextCursor: null } } : result;
}
