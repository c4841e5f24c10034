import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreOpenError } from '../store.ts';
import { createDurably } from './durable-file.ts';

const SECRET_BYTES = 32;

/**
 * The secret beside the data, made at the first call and the same ever after; readable by its
 * owner alone.
 *
 * @throws StoreOpenError the file holds something else: a new secret would break open go-links and
 * replays without a word
 */
export async function readOrMakeSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'secret');
  try {
    const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
    if (secret.length === SECRET_BYTES) return secret;
    throw new StoreOpenError(
      `${path} does not hold a secret of ${SECRET_BYTES} bytes in base64url. Put it back from a backup, or remove it to have a new one made.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(SECRET_BYTES);
  const file = await createDurably(path, `${secret.toString('base64url')}\n`);
  await file.close();
  return secret;
}
