import { openJsonFileStore } from './json-file/json-file-store.ts';
import type { Store, StoreOptions } from './store.ts';
import { folderOf } from './store-url.ts';

/**
 * Opens the store that `STORE_URL` names. Only this file and `folder-tools.ts` know the drivers.
 *
 * @param url `file:` and a folder, relative to the working directory or absolute
 * @throws StoreOpenError with a message for the operator
 */
export function openStore(url: string, options: StoreOptions): Promise<Store> {
  return openJsonFileStore(folderOf(url), options);
}
