import { withoutProtocol } from './link-address.ts';

/**
 * Formats a URL for display: without its protocol, and percent-decoded. Do not use it as an `href`,
 * since decoding may change its meaning.
 */
export function readableUrl(url: string): string {
  // One sequence at a time, so that invalid UTF-8 in one does not affect the others.
  const decoded = url.replace(/(?:%[0-9A-F]{2})+/gi, decodeSequence);
  return withoutProtocol(decoded);
}

/** Invisible characters, and those that could reorder the text: spaces, controls, direction marks. */
const UNREADABLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

function decodeSequence(sequence: string): string {
  try {
    return [...decodeURIComponent(sequence)]
      .map((character) => (UNREADABLE.test(character) ? encodeURIComponent(character) : character))
      .join('');
  } catch {
    return sequence;
  }
}
