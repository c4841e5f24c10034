import type { Result } from './result.ts';

export type Page<T> = { data: T[]; nextCursor: string | null };

/** A million rows, with 100 a page. */
const PAGES_MAX = 10_000;

/**
 * Reads the pages of a list from a cursor to its end. Fails as soon as one of them does, and with `not_curt`
 * if the list has no end.
 */
export async function readAllPages<T>(
  readPage: (cursor: string | undefined) => Promise<Result<Page<T>>>,
  first?: string,
): Promise<Result<T[]>> {
  const rows: T[] = [];
  const cursors = new Set([first]);
  for (let cursor = first; cursors.size <= PAGES_MAX; ) {
    const page = await readPage(cursor);
    if (!page.ok) return page;
    rows.push(...page.data.data);
    if (page.data.nextCursor === null) return { ok: true, data: rows };
    cursor = page.data.nextCursor;
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { ok: false, code: 'not_curt', message: 'The list of the server has no end.' };
}
