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
  const path = join(folder, 'secret');
  try {
    const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
    if (secret.length === SECRET_BYTES) return secret;
    throw new StoreOpenError(
      `${path} does not contain a secret of ${SECRET_BYTES} bytes in base64url. Restore it from a backup, or remove it to create a new one.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(SECRET_BYTES);
  const file = await createDurably(path, `${secret.toString('base64url')}\n`);
  await file.close();
  return secret;
}
