import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file that only its owner can read: links can be confidential. It is never half written.
 *
 * @param path `-` for standard output
 */
export async function writeFile(path: string, content: Blob): Promise<void> {
  if (path === '-') {
    await pipeline(content.stream(), process.stdout, { end: false });
    return;
  }
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    await pipeline(content.stream(), file.createWriteStream({ flush: true }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
