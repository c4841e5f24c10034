import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreOpenError } from '../../store.ts';
import { createDurably } from './durable-file.ts';

const SECRET_BYTES = 32;

/**
 * Reads the secret in the data folder. The first call creates it, readable only by its owner.
 *
 * @throws StoreOpenError if the file contains something else: a new secret would silently invalidate
 * go-links and idempotency keys
 */
export async function readOrCreateSecret(folder: string): Promise<Buffer> {
  const existing = await readSecret(folder);
  if (existing) return existing;
  const secret = randomBytes(SECRET_BYTES);
  const file = await createDurably(secretPath(folder), `${secret.toString('base64url')}\n`);
  await file.close();
  return secret;
}

/**
 * @returns undefined if there is none
 * @throws StoreOpenError if the file contains something else
 */
export async function readSecret(folder: string): Promise<Buffer | undefined> {
  const path = secretPath(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) return undefined;
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length === SECRET_BYTES) return secret;
  throw new StoreOpenError(
    `${path} does not contain a secret of ${SECRET_BYTES} bytes in base64url. Restore it from a backup, or remove it to create a new one.`,
  );
}

export function secretPath(folder: string): string {
  return join(folder, 'secret');
}
