import { type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, relative } from 'node:path';
import { StoreOpenError } from '../store.ts';

const PERMISSION_CODES = ['EACCES', 'EPERM'];

/**
 * Explains an error about permissions: what belongs to whom, who the server is and what to do.
 *
 * @param error as a call of node:fs threw it
 * @returns the error itself if it is about something else
 */
export function explainAccess(folder: string, error: unknown): unknown {
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  if (code === 'EROFS') {
    return new StoreOpenError(
      `${folder} cannot be used: it is on a read-only file system. Make that writable, or set STORE_URL to another folder.`,
    );
  }
  const uid = process.geteuid?.();
  if (!PERMISSION_CODES.includes(code) || uid === undefined) return error;
  const { path: blocked, stats } = findBlocked(path);
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  return new StoreOpenError(
    `${folder} cannot be used: ${blocked} belongs to ${userText(stats.uid)} and has mode ${mode}, ` +
      `but the server runs as ${userText(uid)}, who may not use it. ` +
      `${advice(folder, blocked, stats, uid)}, or set STORE_URL to a folder of that user.`,
  );
}

/** The path itself or, if it is missing or out of reach, the closest folder above it. */
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
  // Nobody is told to give away a folder that holds more than Curt's.
  const isAbove = blocked !== folder && relative(blocked, folder).split('/')[0] !== '..';
  const quoted = `'${folder.replaceAll("'", `'\\''`)}'`;
  if (isAbove) return `Make the folder for that user: mkdir -p ${quoted} && chown ${uid} ${quoted}`;
  return stats.uid === uid
    ? `Allow it: chmod -R u+rwX ${quoted}`
    : `Give the folder to that user: chown -R ${uid} ${quoted}`;
}

/** Node knows no name but the server's own, and a container's user may have none. */
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
