import { type Page, readAllPages } from '../../../shared/client/all-pages.ts';
import type { Result } from '../../../shared/client/result.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import { succeed } from '../cli-error.ts';
import { withoutUndefined } from '../command.ts';

export type PageOptions = { limit?: number; cursor?: string; all?: boolean };

/** Reads a page, or all of them from there on. */
export async function readPages<T>(
  { limit, cursor, all }: PageOptions,
  read: (query: { limit?: number; cursor?: string }) => Promise<Result<Page<T>>>,
): Promise<Page<T>> {
  const rows = limit ?? (all ? LIST_LIMIT_MAX : undefined);
  const readFrom = (from: string | undefined) => {
    return read(withoutUndefined({ limit: rows, cursor: from }));
  };
  if (!all) return succeed(await readFrom(cursor)).data;
  return { data: succeed(await readAllPages(readFrom, cursor)).data, nextCursor: null };
}
