import { signal } from '@preact/signals';
import type { Page } from '../../../../shared/client/all-pages.ts';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { adminFailure } from './admin-failure.ts';

export type List<T> = ReturnType<typeof createList<T>>;

/** Rows that are read page by page. @param load reads a page, the first one without a cursor */
export function createList<T>(
  load: (cursor: string | undefined) => Promise<Result<Page<T>>>,
  origin: string,
) {
  /** Undefined until they are loaded. */
  const rows = signal<T[] | undefined>(undefined);
  const nextCursor = signal<string | null>(null);
  const failure = signal<FailureText | undefined>(undefined);
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
    nextCursor.value = result.data.nextCursor;
  }

  const refresh = () => read(undefined);
  const more = () => read(nextCursor.value ?? undefined);
  return { rows, nextCursor, failure, refresh, more };
}

/** A page of everything, for a list that has no pages. */
export function allInOne<T>(result: Result<T[]>): Result<Page<T>> {
  return result.ok ? { ...result, data: { data: result.data, nextCursor: null } } : result;
}
