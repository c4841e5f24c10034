import { randomUUID } from 'node:crypto';
import { readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Writes a file that only its owner can read, whatever its mode was. It is never half written. Of a symbolic link,
 * it writes the file that the link leads to, which may be among somebody's other settings.
 */
export async function writePrivateFile(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = await followLinks(path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Where a path leads, also if nothing is there yet. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const next = await readlink(path).catch(() => undefined);
    return next === undefined ? path : resolve(dirname(path), next);
  }
}
