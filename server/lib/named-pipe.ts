import { constants, openSync, statSync } from 'node:fs';

/** Opens a named pipe so that nothing waits for who reads it. @returns undefined if the path is none */
export function openNamedPipe(path: string): number | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFIFO()) return undefined;
  // For reading, too: otherwise it could be opened only while somebody reads it.
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}
