import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { quote } from '../../../lib/quote.ts';
import { StoreOpenError } from '../../store.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

/**
 * Locks the folder, so that no second server can use it. Node.js has no file locks except SQLite's, so
 * an empty database serves as the lock. The kernel enforces it, also between containers, and releases
 * it when the process ends for any reason. Nothing is ever written to it.
 *
 * @returns a function that releases the lock
 * @throws StoreOpenError if another process has the lock; errors of node:fs if it cannot be opened
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  assertUsable(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Otherwise SQLite would create a journal file next to the database.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_NOT_A_DATABASE) {
      throw new StoreOpenError(
        `${path} is not a lock file of Curt. Remove it, or choose another folder.`,
      );
    }
    if (errcode !== SQLITE_BUSY) throw error;
    throw new StoreOpenError(
      `Another Curt server is using ${folder}. Stop it, or set STORE_URL to another folder.`,
    );
  }
  return () => lock.close();
}

/**
 * Whether a server has locked the folder. Changes nothing, unlike trying to lock it.
 *
 * @throws errors of SQLite if the lock is another kind of file
 */
export function isLocked(folder: string): boolean {
  const path = join(folder, 'lock');
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    lock.exec('SELECT * FROM sqlite_schema');
    return false;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/**
 * SQLite does not report why it cannot open a file, and takes only a shared lock on a read-only file.
 * This must not open the file: closing it would release this process's lock.
 */
function assertUsable(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

const PERMISSION_CODES = ['EACCES', 'EPERM'];

/** @param error thrown by node:fs */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Explains why a folder cannot be used. For a permission error: who owns the folder, which user runs the server
 * and what to do.
 *
 * @param error thrown by node:fs; one with an explanation is returned
 */
export function toOpenError(folder: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { code = '', syscall, path = folder, message } = error as NodeJS.ErrnoException;
  if (code === 'EROFS') {
    return new StoreOpenError(
      `${folder} cannot be used: it is on a read-only file system. Remount it as writable, or set STORE_URL to another folder.`,
    );
  }
  if (code === 'ENOTDIR' || (code === 'EEXIST' && syscall === 'mkdir')) {
    return new StoreOpenError(
      `${folder} cannot be used: ${findBlocked(path).path} is not a folder. Set STORE_URL to another path.`,
    );
  }
  if (isDiskFull(error)) {
    return new StoreOpenError(
      `${folder} cannot be used: its disk is full. Free space there, and start again.`,
    );
  }
  const uid = process.geteuid?.();
  if (!PERMISSION_CODES.includes(code) || uid === undefined) {
    return new StoreOpenError(`${folder} cannot be used: ${message}.`);
  }
  const { path: blocked, stats } = findBlocked(path);
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  return new StoreOpenError(
    `${folder} cannot be used: ${blocked} belongs to ${userText(stats.uid)} and has mode ${mode}, ` +
      `but the server runs as ${userText(uid)}, who has no access. ` +
      `${advice(folder, blocked, stats, uid)}, or set STORE_URL to a folder that this user owns.`,
  );
}

/** The path itself or, if it is missing or inaccessible, the nearest parent folder. */
function findBlocked(path: string): { path: string; stats: Stats } {
  for (let current = path; ; current = dirname(current)) {
    try {
      return { path: current, stats: statSync(current) };
    } catch (error) {
      if (dirname(current) === current) throw error;
    }
  }
}

function advice(folder: string, blocked: string, stats: Stats, uid: number): string {
  // Never advise changing the owner of a folder that contains more than Curt's data.
  const isAbove = blocked !== folder && relative(blocked, folder).split('/')[0] !== '..';
  const quoted = quote(folder);
  if (isAbove)
    return `Create the folder for this user: mkdir -p ${quoted} && chown ${uid} ${quoted}`;
  return stats.uid === uid
    ? `Allow access: chmod -R u+rwX ${quoted}`
    : `Make this user the owner: chown -R ${uid} ${quoted}`;
}

/** Node.js knows only the server's own user name, and in a container the user may have none. */
function userText(uid: number): string {
  const name = uid === 0 ? 'root' : ownName(uid);
  return name === undefined ? `user ${uid}` : `user ${uid} (${name})`;
}

function ownName(uid: number): string | undefined {
  try {
    const own = userInfo();
    return own.uid === uid ? own.username : undefined;
  } catch {
    return undefined;
  }
}
