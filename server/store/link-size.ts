import type { Link } from './link.ts';

/** Names of fields and numbers: what is in every link, about. */
const FIXED_BYTES = 300;
/** The bytes of a short text are hardly more than its characters, and counting takes time. */
const SHORT_CHARACTERS = 200;

const MODEST_URL_CHARACTERS = 1024;

/**
 * Whether a link has what makes links large. All other texts of a link have at most 10 kB, so a page of links
 * without it has no more than about 1 MiB.
 */
export function mayBeLarge({ originalUrl, rules, card, goneUrl }: Link): boolean {
  const isModest = originalUrl.length <= MODEST_URL_CHARACTERS;
  return !isModest || rules.length > 0 || card !== null || goneUrl !== null;
}

/** About the size of a link as JSON. Exact for what makes links large, which are long texts. */
export function linkBytes(link: Link): number {
  // What is equal is stored once.
  const { originalUrl, targetUrl } = link;
  let bytes = FIXED_BYTES - (targetUrl === originalUrl ? byteLength(targetUrl) : 0);
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
