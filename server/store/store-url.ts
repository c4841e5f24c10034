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
  const path = url.startsWith('file://') ? pathOf(url) : url.slice('file:'.length);
  // As of `file:${UNSET}` in a script: everything else there would be mixed with the data.
  if (path === '' || path === '/') {
    throw new StoreOpenError(
      'STORE_URL names no folder of its own. Add its name, such as file:./data or file:///var/lib/curt.',
    );
  }
  return resolve(path);
}

function pathOf(url: string): string {
  const mark = /[#?]/.exec(url)?.[0];
  if (mark !== undefined) {
    throw new StoreOpenError(
      `In a URL, ${mark} ends the path, so STORE_URL would name another folder. Write the folder without file://, such as file:/srv/#curt, or ${mark} as ${encodeURIComponent(mark)}.`,
    );
  }
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new StoreOpenError(
      `STORE_URL cannot be read: ${(error as Error).message}. Write an absolute path after file://, such as file:///var/lib/curt.`,
    );
  }
}
