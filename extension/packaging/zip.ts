import { type ZipOptions, zipSync } from 'fflate';
import type { Files } from './files.ts';

/**
 * The same for every file, whatever the clock, the time zone, the umask and the system say: a ZIP's
 * first day, and `rw-r--r--`. fflate writes local time, so it is made from local time.
 */
const SAME_FOR_ALL: ZipOptions = {
  mtime: new Date(1980, 0, 1, 12),
  os: 3,
  attrs: (0o100644 << 16) >>> 0,
  level: 9,
};

/** A ZIP that depends on names and contents alone. */
export function pack(files: Files): Uint8Array {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), SAME_FOR_ALL);
}
