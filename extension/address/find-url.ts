import { isTooLong, parseTypedUrl } from './parse-typed-url.ts';

/** Up to what cannot be part of a URL as people write it: spaces, quotation marks, CJK brackets. */
const WITH_PROTOCOL = /https?:\/\/[^\s<>"“”„«»‹›`、。，；：！？「」『』【】（）《》]+/giu;
const SEPARATOR = /[\s<>"“”„«»‹›`、。，；：！？「」『』【】（）《》]+/u;
const OPENING = /^['‘’([{*_]+/u;
/** Ends a sentence, a quotation or emphasis rather than a URL. */
const TRAILING = /[.,;:!?…'‘’*]$/u;
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * The web address in a text that somebody selected, without the punctuation around it. Where there
 * are several it is the first; one that is written with its protocol comes before one without, since
 * `report.md` is more likely a file than a site.
 *
 * Source of the rule for trailing punctuation: GitHub Flavored Markdown, "Autolinks (extension)".
 */
export function findUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const whole = trimWord(text.trim());
  // `web.archive.org/web/https://example.com` is one address, not the second half of one.
  if (!SEPARATOR.test(whole) && parseTypedUrl(whole)) return parseTypedUrl(whole);
  for (const [written] of text.matchAll(WITH_PROTOCOL)) {
    const url = trimWord(written);
    // Too long is still what was meant: the user is told about its length.
    if (isTooLong(url)) return url;
    const address = parseTypedUrl(url);
    if (address) return address;
  }
  const addresses = text.split(SEPARATOR).map(trimWord).filter(parseTypedUrl);
  return parseTypedUrl(addresses.find((word) => /^www\.|\//i.test(word)) ?? addresses[0]);
}

/** A closing bracket stays where the URL itself opens it: `/wiki/Curt_(name)`. */
function trimWord(word: string): string {
  const text = word.replace(OPENING, '');
  const unopened = new Map(
    Object.entries(CLOSING).map(([closing, opening]) => [
      closing,
      text.split(closing).length - text.split(opening).length,
    ]),
  );
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1] ?? '';
    const surplus = unopened.get(last);
    if (surplus === undefined ? !TRAILING.test(last) : surplus <= 0) break;
    if (surplus !== undefined) unopened.set(last, surplus - 1);
  }
  return text.slice(0, end);
}
