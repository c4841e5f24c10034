import { readFileSync, realpathSync } from 'node:fs';
import { isPostgresUrl } from '../../lib/settings.ts';
import { openJsonFileStore } from '../json-file/json-file-store.ts';
import { withConnection } from '../postgres/database/connect.ts';
import { parseConnectionUrl } from '../postgres/database/connection-url.ts';
import { migrate as migrateTables, missingMigrations } from '../postgres/database/migrate.ts';
import { openPostgresStore, type StoreUrls } from '../postgres/postgres-store.ts';
import { type Store, StoreOpenError, type StoreOptions } from '../store.ts';
import { folderOf } from '../store-url.ts';

type OpenOptions = StoreOptions & {
  /** URL of a standby of the PostgreSQL database, which is asked for links while that one cannot be reached. */
  readUrl?: string | undefined;
  /** Returns both URLs as they are now, see `openPostgresStore`. */
  readAgain?: (() => StoreUrls) | undefined;
};

/**
 * Opens the store that `STORE_URL` names. Only this folder knows the drivers.
 *
 * @param url `file:` and a folder, relative to the working directory or absolute; or `postgres:`, see
 * `parseConnectionUrl`
 * @throws StoreOpenError with a message for the operator
 */
export async function openStore(url: string, options: OpenOptions): Promise<Store> {
  if (isPostgresUrl(url)) {
    return openPostgresStore(url, options, options.readUrl, options.readAgain);
  }
  const folder = folderOf(url);
  const store = await openJsonFileStore(folder, options);
  const warning = options.onWarning && containerLayerWarning(folder);
  if (warning) options.onWarning?.(warning);
  return store;
}

/**
 * Brings the tables of the database that `STORE_URL` names to the version of this program.
 *
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError with a message for the operator
 */
export async function migrate(url: string): Promise<string[]> {
  if (!isPostgresUrl(url)) {
    throw new StoreOpenError(
      'STORE_URL must name a PostgreSQL database, such as postgres://user:password@host:5432/curt. A folder needs no migration.',
    );
  }
  return withConnection(parseConnectionUrl(url), (client) => migrateTables(client));
}

/**
 * Says whether this program can use the database of a URL, without changing it.
 *
 * @returns the names of the migrations that it needs first
 * @throws StoreOpenError with a message for the operator
 */
export function checkDatabase(url: string): Promise<string[]> {
  return withConnection(parseConnectionUrl(url), (client) => missingMigrations(client));
}

/** File systems that containers lay over their image, for Docker, containerd and Podman. */
const LAYERS = ['overlay', 'fuse.fuse-overlayfs', 'aufs'];

/**
 * @param folder must exist
 * @param mountInfo as in `/proc/self/mountinfo`
 * @returns a warning if the folder is in the writable layer of a container instead of a volume
 */
export function containerLayerWarning(
  folder: string,
  mountInfo = readMountInfo(),
): string | undefined {
  const path = realpathSync(folder);
  if (!isInContainerLayer(path, mountInfo)) return undefined;
  return `${path} is in the writable layer of a container: when the container is removed or updated, all links are lost. Mount a volume there, for example "docker run --volume curt:${path}".`;
}

/**
 * Whether the last mount that contains the folder is a container's root. The format is the one of
 * proc_pid_mountinfo(5).
 *
 * @param path absolute, without symbolic links
 */
export function isInContainerLayer(path: string, mountInfo: string): boolean {
  let innermost = { mountPoint: '', type: '' };
  for (const line of mountInfo.split('\n')) {
    const [mount = '', fileSystem = ''] = line.split(' - ');
    const mountPoint = unescapeOctal(mount.split(' ')[4] ?? '');
    const [type = ''] = fileSystem.split(' ');
    // A later mount with the same mount point hides an earlier one.
    if (contains(mountPoint, path) && mountPoint.length >= innermost.mountPoint.length) {
      innermost = { mountPoint, type };
    }
  }
  return innermost.mountPoint === '/' && LAYERS.includes(innermost.type);
}

function contains(mountPoint: string, path: string): boolean {
  return mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);
}

/** Spaces, tabs, line feeds and backslashes are octal: `\040`. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Empty on systems without it. */
function readMountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}
