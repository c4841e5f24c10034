import { isPostgresUrl } from '../../lib/postgres-url.ts';
import { openJsonFileStore } from '../json-file/json-file-store.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import type { Store, StoreOptions } from '../store.ts';
import { folderOf } from '../store-url.ts';
import { containerLayerWarning } from './container-layer.ts';

type OpenOptions = StoreOptions & {
  /** Of a standby of the PostgreSQL database, which is asked for links while that one cannot be reached. */
  readUrl?: string | undefined;
};

/**
 * Opens the store that `STORE_URL` names. Only this folder knows the drivers.
 *
 * @param url `file:` and a folder, relative to the working directory or absolute; or `postgres:`, see
 * `parseConnectionUrl`
 * @throws StoreOpenError with a message for the operator
 */
export async function openStore(url: string, options: OpenOptions): Promise<Store> {
  if (isPostgresUrl(url)) return openPostgresStore(url, options, options.readUrl);
  const folder = folderOf(url);
  const store = await openJsonFileStore(folder, options);
  const warning = options.onWarning && containerLayerWarning(folder);
  if (warning) options.onWarning?.(warning);
  return store;
}
