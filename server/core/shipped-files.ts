import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT_FOLDER = join(import.meta.dirname, '../..');

/**
 * Reads a file that comes with the server. For use at start only: a request that opened a file
 * would fail where file descriptors have run out.
 *
 * @param path from the project's folder: `server/pages/assets/curt.css`
 */
export function readShippedFile(path: string): Buffer {
  return readFileSync(join(PROJECT_FOLDER, path));
}
