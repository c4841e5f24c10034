import { isTooLong, parseTypedUrl } from './parse-typed-url.ts';

/** Ends at characters that people do not use in URLs: spaces, quotation marks, CJK brackets. */
const WITH_PROTOCOL = /https?:\/\/[^\s<>"“”„«»‹›`、。，；：！？「」『』【】（）《》]+/giu;
const SEPARATOR = /[\s<>"“”„«»‹›`、。，；：！？「」『』【】（）《》]+/u;
const OPENING = /^['‘’([{*_]+/u;
/** Ends a sentence, a quotation or emphasis rather than a URL. */
const TRAILING = /[.,;:!?…'‘’*]$/u;
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Finds the URL in selected text, without the punctuation around it. If there are several, returns the
 * first one with a protocol, otherwise the first one, since `report.md` is more likely a file than a
 * site.
 *
 * Source of the rule for trailing punctuation: GitHub Flavored Markdown, "Autolinks (extension)".
 */
export function findUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const whole = trimWord(text.trim());
  // `web.archive.org/web/https://example.com` is one URL.
  if (!SEPARATOR.test(whole) && parseTypedUrl(whole)) return parseTypedUrl(whole);
  for (const [written] of text.matchAll(WITH_PROTOCOL)) {
    const url = trimWord(written);
    // Return it even if it is too long, so that the error says so.
    if (isTooLong(url)) return url;
    const parsed = parseTypedUrl(url);
    if (parsed) return parsed;
  }
  const urls = text.split(SEPARATOR).map(trimWord).filter(parseTypedUrl);
  return parseTypedUrl(urls.find((word) => /^www\.|\//i.test(word)) ?? urls[0]);
}

/** Keeps a closing bracket if the URL contains the opening one: `/wiki/Curt_(name)`. */
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
