/**
 * A URL as a person reads it: without its scheme, and with its percent-encoded text decoded. Never
 * for a link's `href`: what is decoded need not mean the same.
 */
export function readableUrl(url: string): string {
  // Run by run, so that one that is no UTF-8 leaves the others readable.
  const decoded = url.replace(/(?:%[0-9A-F]{2})+/gi, decodeRun);
  return decoded.replace(/^https?:\/\//, '');
}

/** What would change how the text is read, or cannot be seen: spaces, controls, direction marks. */
const UNREADABLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

function decodeRun(run: string): string {
  try {
    return [...decodeURIComponent(run)]
      .map((character) => (UNREADABLE.test(character) ? encodeURIComponent(character) : character))
      .join('');
  } catch {
    return run;
  }
}
