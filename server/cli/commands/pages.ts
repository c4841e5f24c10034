import type { Command } from 'commander';
import type { Failure, Success } from '../../../shared/client/result.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import { succeed } from '../cli-error.ts';
import { parseNumber } from './links/link-options.ts';

export type PageOptions = { limit?: number; cursor?: string; all?: boolean };

type Page<T> = { data: T[]; nextCursor: string | null };
type PageQuery = { limit?: number; cursor?: string };

export function withPageOptions(command: Command): Command {
  return command
    .option('--limit <number>', 'rows of a page, up to 100 (default: 50)', parseNumber)
    .option('--cursor <cursor>', 'nextCursor of the page before')
    .option('--all', 'all pages');
}

/** Reads a page, or all of them from there on. */
export async function readPages<T>(
  { limit, cursor, all }: PageOptions,
  read: (query: PageQuery) => Promise<Success<Page<T>> | Failure>,
): Promise<Page<T>> {
  const data: T[] = [];
  let next = cursor;
  for (;;) {
    const rows = limit ?? (all ? LIST_LIMIT_MAX : undefined);
    const { data: page } = succeed(
      await read({
        ...(rows !== undefined && { limit: rows }),
        ...(next !== undefined && { cursor: next }),
      }),
    );
    data.push(...page.data);
    if (!all || page.nextCursor === null) return { data, nextCursor: page.nextCursor };
    next = page.nextCursor;
  }
}

/** What to say if there is another page. */
export function moreText(nextCursor: string): string {
  return `There are more: --all, or --cursor ${nextCursor}`;
}
