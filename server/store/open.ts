import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openJsonFileStore } from './json-file/json-file-store.ts';
import { type Store, StoreOpenError, type StoreOptions } from './store.ts';

/**
 * Opens the store of a `STORE_URL`; the one file that knows the drivers.
 *
 * @param url `file:` and a folder, relative to the working directory or absolute
 * @throws StoreOpenError with a sentence for whoever starts the server
 */
export function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (!url.startsWith('file:')) {
    throw new StoreOpenError(`STORE_URL must begin with "file:", as file:./data; it is "${url}".`);
  }
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
  return openJsonFileStore(resolve(path), options);
}
