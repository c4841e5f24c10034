import { formatTag } from './translate.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * 1024;

/** Formats an amount of storage: `0 kB`, `412 kB`, `9.8 MB`. */
export function formatBytes(bytes: number): string {
  const isLarge = bytes >= MEGABYTE;
  return new Intl.NumberFormat(formatTag(), {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(bytes / (isLarge ? MEGABYTE : KILOBYTE));
}
