import type { Command } from 'commander';
import { type Page, readAllPages } from '../../../shared/client/all-pages.ts';
import type { Result } from '../../../shared/client/result.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import { succeed } from '../cli-error.ts';
import { parseNumber } from './links/link-options.ts';

export type PageOptions = { limit?: number; cursor?: string; all?: boolean };

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
  read: (query: PageQuery) => Promise<Result<Page<T>>>,
): Promise<Page<T>> {
  const readFrom = (from: string | undefined) => {
    const rows = limit ?? (all ? LIST_LIMIT_MAX : undefined);
    return read({
      ...(rows !== undefined && { limit: rows }),
      ...(from !== undefined && { cursor: from }),
    });
  };
  if (!all) return succeed(await readFrom(cursor)).data;
  return { data: succeed(await readAllPages(readFrom, cursor)).data, nextCursor: null };
}

/** What to say if there is another page. */
export function moreText(nextCursor: string): string {
  return `There are more: --all, or --cursor ${nextCursor}`;
}
