import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPostgresUrl } from '../lib/settings.ts';
import { StoreOpenError } from './store.ts';

/**
 * Returns the folder that `STORE_URL` names.
 *
 * @throws StoreOpenError if the URL is of another kind
 */
export function folderOf(url: string): string {
  // No message has the URL, which may contain a password.
  if (isPostgresUrl(url)) {
    throw new StoreOpenError(
      'STORE_URL names a PostgreSQL database instead of a folder. Save it with pg_dump and restore it with pg_restore, as docs/postgresql.md shows.',
    );
  }
  if (!url.startsWith('file:')) {
    throw new StoreOpenError(
      'STORE_URL must start with file: or postgres://, such as file:./data.',
    );
  }
  return resolve(url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));
}
