import { z } from 'zod';
import { nameOf } from '../../../shared/fields.ts';
import { LINK_SORTS, type LinkSort } from '../../../shared/links/link-list.ts';
import { invalidCursor } from '../../lib/invalid-field.ts';
import type { LinkPosition } from '../../store/link.ts';

/** See `aliasOrder`. */
const ALIAS_KEY = /^[\w-]{1,64}( [!-~]{1,260})?$/;
const idSchema = nameOf('ID of a link.');
const cursorSchema = z.tuple([
  z.enum(LINK_SORTS),
  /** Null before the first link. */
  z
    .union([
      z.tuple([z.int(), idSchema]),
      z.tuple([z.int(), idSchema, z.union([z.int(), z.string().regex(ALIAS_KEY)])]),
    ])
    .nullable(),
  /** The link that came before all others. */
  idSchema.nullable(),
]);

/** Where a list goes on. */
export type LinkCursor = { after: LinkPosition | null; firstId?: string | undefined };

export function toCursor(sort: LinkSort, { after, firstId }: LinkCursor): string {
  const position = after && [
    after.created,
    after.id,
    ...(after.key === undefined ? [] : [after.key]),
  ];
  return Buffer.from(JSON.stringify([sort, position, firstId ?? null])).toString('base64url');
}

/** @throws ServiceError `invalid_request` if it is none, or one of a list in another order */
export function readCursor(sort: LinkSort, cursor: string): LinkCursor {
  try {
    const json = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [sorted, position, firstId] = cursorSchema.parse(json);
    if (sorted !== sort) throw invalidCursor();
    const [created, id, key] = position ?? [];
    const hasKey =
      typeof key === (sort === 'alias' ? 'string' : sort === 'created' ? 'undefined' : 'number');
    if (position && !hasKey) throw invalidCursor();
    const after =
      created === undefined || id === undefined
        ? null
        : { created, id, ...(key !== undefined && { key }) };
    return { after, ...(firstId !== null && { firstId }) };
  } catch {
    throw invalidCursor();
  }
}
