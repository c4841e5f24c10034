import type { Link } from './link.ts';

/** Names of fields and numbers: what is in every link, about. */
const FIXED_BYTES = 300;
/** The bytes of a short text are hardly more than its characters, and counting takes time. */
const SHORT_CHARACTERS = 200;

/** About the size of a link as JSON. Exact for what makes links large, which are long texts. */
export function linkBytes(link: Link): number {
  let bytes = FIXED_BYTES;
  // Those that differ from the default.
  for (const value of Object.values(link)) {
    if (typeof value === 'string') bytes += byteLength(value);
    else if (typeof value === 'object' && value !== null)
      bytes += byteLength(JSON.stringify(value));
  }
  return bytes;
}

function byteLength(text: string): number {
  return text.length > SHORT_CHARACTERS ? Buffer.byteLength(text) : text.length;
}
