import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quote } from '../../../lib/quote.ts';
import { StoreOpenError } from '../../store.ts';

/**
 * Opens files. A parameter of the store, so that tests can simulate a failing disk.
 *
 * @default `open` of node:fs/promises
 */
export type OpenFile = (path: string, flags: string, mode: number) => Promise<FileHandle>;

/**
 * Creates a file atomically and durably: writes it under a temporary name, syncs it and renames it,
 * then syncs the folder, which stores the name.
 *
 * @returns the file, still open
 */
export async function createDurably(
  path: string,
  text: string,
  openFile: OpenFile = open,
): Promise<FileHandle> {
  const temporary = `${path}.tmp`;
  let file: FileHandle | undefined;
  try {
    file = await openFile(temporary, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file?.close().catch(() => undefined);
    // A full disk needs the space. If the folder is gone, there is nothing to remove.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const SECRET_BYTES = 32;

/**
 * Reads the secret in the data folder. The first call creates it, readable only by its owner.
 *
 * @param hasIdentities whether accounts are found by it: then it must exist
 * @throws StoreOpenError if it is missing then, or if the file contains something else: a new secret
 * would silently invalidate go-links and idempotency keys
 */
export async function readOrCreateSecret(folder: string, hasIdentities: boolean): Promise<Buffer> {
  const existing = await readSecret(folder, hasIdentities);
  if (existing) return existing;
  const path = secretPath(folder);
  const secret = randomBytes(SECRET_BYTES);
  const file = await createDurably(path, `${secret.toString('base64url')}\n`);
  await file.close();
  return secret;
}

/**
 * @param isRequired whether it must exist
 * @returns undefined if there is none
 * @throws StoreOpenError if it is missing although it is required, or if the file contains something else
 */
export async function readSecret(folder: string, isRequired = false): Promise<Buffer | undefined> {
  const path = secretPath(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) {
    if (!isRequired) return undefined;
    throw new StoreOpenError(`${path} is missing. ${secretRepair(path, isRequired)}`);
  }
  const secret = parseSecret(text);
  if (secret) return secret;
  throw new StoreOpenError(
    `${path} does not contain a secret of ${SECRET_BYTES} bytes in base64url. Restore it from a backup. If there is none, remove it and start again.`,
  );
}

/** @returns undefined if the text is no secret */
export function parseSecret(text: string): Buffer | undefined {
  const secret = Buffer.from(text.trim(), 'base64url');
  return secret.length === SECRET_BYTES ? secret : undefined;
}

/** Returns what the operator can do if the secret is missing or wrong. */
export function secretRepair(path: string, hasIdentities: boolean): string {
  return hasIdentities
    ? `Restore it from a backup: people who sign in are known by it only. If there is none, make a new one, and everybody who signs in gets a new account: (umask 077; head -c ${SECRET_BYTES} /dev/urandom | base64 > ${quote(path)})`
    : 'Restore it from a backup. If there is none, remove what is there, and the server makes a new one: requests of the last 24 hours that are retried may create duplicates, and open preview pages must be loaded again.';
}

export function secretPath(folder: string): string {
  return join(folder, 'secret');
}

/** Stores when a backup of the folder was made. @param time milliseconds since the epoch */
export async function writeLastBackup(folder: string, time: number): Promise<void> {
  const file = await createDurably(pathIn(folder), `${new Date(time).toISOString()}\n`);
  await file.close();
}

/** @returns milliseconds since the epoch; undefined if no backup is known */
export async function readLastBackup(folder: string): Promise<number | undefined> {
  const text = await readFile(pathIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? undefined : time;
}

function pathIn(folder: string): string {
  return join(folder, 'last-backup');
}
