import { type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, relative } from 'node:path';
import { quote } from '../../../lib/quote.ts';
import { StoreOpenError } from '../../store.ts';

const PERMISSION_CODES = ['EACCES', 'EPERM'];

/**
 * Explains why a folder cannot be used. For a permission error: who owns the folder, which user runs the server
 * and what to do.
 *
 * @param error thrown by node:fs; one with an explanation is returned
 */
export function toOpenError(folder: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { code = '', path = folder, message } = error as NodeJS.ErrnoException;
  if (code === 'EROFS') {
    return new StoreOpenError(
      `${folder} cannot be used: it is on a read-only file system. Remount it as writable, or set STORE_URL to another folder.`,
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
