import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT_FOLDER = join(import.meta.dirname, '../..');

/**
 * Reads a file that ships with the server. Use it at startup only: during a request it would fail
 * when the process has run out of file descriptors.
 *
 * @param path relative to the project folder, such as `server/web/views/assets/curt.css`
 */
export function readShippedFile(path: string): Buffer {
  return readFileSync(join(PROJECT_FOLDER, path));
}
