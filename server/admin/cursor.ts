import { invalidCursor } from '../lib/service-error.ts';
import { InvalidPositionError } from '../store/administration.ts';

/** Returns `nextCursor` of a page whose store says where the next one begins. */
export function toCursor(next: string | null): string | null {
  return next === null ? null : Buffer.from(next).toString('base64url');
}

/**
 * Reads a page of the store from a client's cursor on.
 *
 * @throws ServiceError `invalid_request` for a cursor of no page
 */
export async function readPage<T>(
  cursor: string | undefined,
  read: (after: string | null) => Promise<T>,
): Promise<T> {
  try {
    // It would mean a position before the first row.
    if (cursor === '') throw new InvalidPositionError();
    return await read(cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString());
  } catch (error) {
    if (!(error instanceof InvalidPositionError)) throw error;
    throw invalidCursor();
  }
}
