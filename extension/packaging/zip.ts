import { type ZipOptions, zipSync } from 'fflate';
import type { Files } from './files.ts';

/**
 * Fixed metadata, so that packages are reproducible: the earliest date of the format, and `rw-r--r--`.
 * fflate writes local time, so the date is a local one.
 */
const METADATA: ZipOptions = {
  mtime: new Date(1980, 0, 1, 12),
  os: 3,
  attrs: (0o100644 << 16) >>> 0,
  level: 9,
};

/** Creates a ZIP that depends on names and contents only. */
export function pack(files: Files): Uint8Array {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), METADATA);
}
