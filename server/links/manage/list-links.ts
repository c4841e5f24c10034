import { z } from 'zod';
import { nameOf } from '../../../shared/fields.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { LinkListQuery } from '../../../shared/links/link-list.ts';
import type { Service } from '../../dependencies.ts';
import { invalidCursor } from '../../lib/invalid-field.ts';
import type { Link, LinkPosition } from '../../store/link.ts';
import { linkStatus } from '../link-status.ts';
import { isOutdated } from './own-link.ts';

const positionSchema = z.tuple([z.int(), nameOf('ID of the last link.')]);

/** A page of the account's links, newest first, with the cursor of the next page. */
export async function listLinks(
  accountId: string,
  { limit = LIST_LIMIT_DEFAULT, cursor, q, tag, status }: LinkListQuery,
  { store, clock, blocks }: Service,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const now = clock();
  const { links, hasMore } = await store.listLinks({
    accountId,
    limit,
    after: cursor === undefined ? null : readCursor(cursor),
    search: q || null,
    tag: tag || null,
    matches: (link) => {
      const actual = linkStatus(link, now, blocks);
      if (isOutdated(link, now)) return false;
      return status === undefined ? actual !== 'deleted' : actual === status;
    },
  });
  const last = links.at(-1);
  return { links, nextCursor: hasMore && last ? toCursor(last) : null };
}

function toCursor({ created, id }: LinkPosition): string {
  return Buffer.from(JSON.stringify([created, id])).toString('base64url');
}

function readCursor(cursor: string): LinkPosition {
  try {
    const [created, id] = positionSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString()),
    );
    return { created, id };
  } catch {
    throw invalidCursor();
  }
}
