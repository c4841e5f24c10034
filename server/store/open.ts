import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { containerLayerWarning } from './json-file/files/container-layer.ts';
import { openJsonFileStore } from './json-file/json-file-store.ts';
import { type Store, StoreOpenError, type StoreOptions } from './store.ts';

/**
 * Opens the store that `STORE_URL` names. The only file that knows the drivers.
 *
 * @param url `file:` and a folder, relative to the working directory or absolute
 * @throws StoreOpenError with a message for the operator
 */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (!url.startsWith('file:')) {
    throw new StoreOpenError(
      `STORE_URL must start with "file:", such as file:./data, not "${url}".`,
    );
  }
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length);
  const folder = resolve(path);
  const store = await openJsonFileStore(folder, options);
  const warning = options.onWarning && containerLayerWarning(folder);
  if (warning) options.onWarning?.(warning);
  return store;
}
