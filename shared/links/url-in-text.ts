import { decodePercent } from '../decode-encoded.ts';
import { trimText } from '../text.ts';
import { joinLines } from './join-lines.ts';
import { hasInvisible, isTooLong, parseOriginalUrl, parseTarget } from './original-url.ts';

/** Characters that people do not use in URLs: spaces, quotation marks, brackets and punctuation of other scripts. */
const BETWEEN =
  '\\s<>"“”„‟«»‹›`〝〞〟＂、。，､｡；：！？،؛؟۔।॥「」『』｢｣【】（）《》〈〉〔〕〖〗［］｛｝';
const SEPARATOR = new RegExp(`[${BETWEEN}]+`, 'u');
const WITH_PROTOCOL = new RegExp(`https?://[^${BETWEEN}]+`, 'giu');
const OPENING = /^[<"“”„‟«»‹›`「『【（《〈'‘’‚‛([{*_~|¿¡]+/u;
/** Ends a sentence, a quotation or emphasis rather than a URL. */
const TRAILING = /[.,;:!?…'‘’‚‛′″´*|\\]$/u;
/** Ends a URL, too, unless it is also in front. */
const EMPHASIS = /[_~]/;
const CLOSING = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
/** `[text](https://…)` in Markdown, where the text may be the URL itself. */
const LABEL = /\[[^[\]]*\]\((?=<?https?:)|\]\((?=<?https?:)/gi;
/** `<https://…|text>` and `[https://…|text]`, as chats and wikis write it. */
const LABEL_AFTER = /([<[]https?:\/\/[^\s|<>[\]]*)\|[^<>[\]]*(?=[>\]])/gi;
const LISTED = /[,;|](?=https?:\/\/)/gi;

/** Pages of browsers that show another page: Firefox's reader view, those of Edge and Chromium, and the source. */
const SHOWN_IN =
  /^(?:about:reader|read:\/\/[^?#]*|chrome-distiller:\/\/[^?#]*)\?(?:[^#]*&)?url=([^&#]+)/i;
const SOURCE = /^view-source:/i;
/**
 * Extensions that show a page or a PDF file, or keep the place of a suspended tab: its URL is in the path, in a
 * parameter, or in a parameter of the fragment.
 */
const IN_VIEWER =
  /^(?:chrome|edge|moz)-extension:\/\/[^/]+\/(?:[^?#]*[?#](?:[^#]*?&)?[a-z]+=)?(https?(?::|%3a).*)$/is;
/** What some programs write in front of a URL: RFC 3986, appendix C. */
const PREFIX = /^url:\s*(?=https?:)/i;
/** A URL copied from a query. */
const ENCODED = /^https?%3a(?:%2f|\/){2}\S+$/i;
/** A URL after a word with a colon, which is no scheme: `Link: (https://…`. */
const AFTER_WORD = /^[a-z][a-z\d+.-]*:\s.*https?:\/\//i;

/**
 * Returns the URL of the page that a browser shows in a page of its own, such as `about:reader?url=…`. Otherwise
 * the same.
 */
export function shownUrl(url: string): string {
  const [, shown] = SHOWN_IN.exec(url) ?? [];
  if (shown !== undefined) return decodePercent(shown, url);
  const [, file] = IN_VIEWER.exec(url) ?? [];
  if (file === undefined) return url.replace(SOURCE, '');
  // Not encoded, it goes on to the end.
  return /^https?:/i.test(file) ? file : decodePercent(file.replace(/[&#].*$/s, ''), url);
}

/**
 * Finds the URL in selected or shared text, without the punctuation around it. If there are several, returns the
 * first one with a protocol, otherwise the first one, since `report.md` is more likely a file than a
 * site.
 *
 * Source of the rule for trailing punctuation: GitHub Flavored Markdown, "Autolinks (extension)".
 */
export function findUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const line = toLine(text);
  const [first] = urlsIn(line);
  if (first !== undefined) return first;
  const words = line
    .split(SEPARATOR)
    .filter((each) => /[.:]/.test(each))
    .map(trimWord)
    .filter(isUrl);
  const word = words.find((each) => /^www\.|\//i.test(each)) ?? words[0];
  return word === undefined ? undefined : toUrl(word);
}

/**
 * Reads the URL that somebody typed or pasted into a field: all of the text, or the only one in it. Otherwise the
 * text, so that the error says what is wrong with it.
 */
export function readTypedUrl(text: string): string {
  const line = toLine(text);
  // What begins like a URL and is none has a fault, such as a space in its host, that nobody should guess.
  if ((parseTarget(line).ok && !AFTER_WORD.test(line)) || /^https?:/i.test(line)) return line;
  const [url = line, ...others] = new Set(urlsIn(line));
  return others.length === 0 ? url : line;
}

/** Removes brackets, quotation marks and punctuation around a word. Keeps a closing bracket that is opened in it: `/wiki/Curt_(name)`. */
export function trimWord(word: string): string {
  const written = trimText(word);
  const [opening = ''] = OPENING.exec(written) ?? [];
  const text = written.slice(opening.length);
  const unopened = new Map(
    [...CLOSING].map(([closing, opening]) => [
      closing,
      text.split(closing).length - text.split(opening).length,
    ]),
  );
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    const surplus = unopened.get(last);
    const isOutside =
      surplus === undefined
        ? TRAILING.test(last) ||
          (EMPHASIS.test(last) && opening.includes(last)) ||
          SEPARATOR.test(last) ||
          trimText(last) === ''
        : surplus > 0;
    if (!isOutside) break;
    if (surplus !== undefined) unopened.set(last, surplus - 1);
  }
  return text.slice(0, end);
}

function toLine(text: string): string {
  const line = trimText(joinLines(text)).replace(PREFIX, '');
  return ENCODED.test(line) ? decodePercent(line) : shownUrl(line);
}

/** The text, if it is a URL; otherwise all URLs with a protocol in it. */
function urlsIn(line: string): string[] {
  const text = line.replace(LABEL, ' (').replace(LABEL_AFTER, '$1');
  const whole = trimWord(text);
  // `web.archive.org/web/https://example.com` is one URL.
  const url = SEPARATOR.test(whole) ? undefined : toUrl(whole);
  if (url !== undefined) return [url];
  const written = text.replace(LISTED, ' ').match(WITH_PROTOCOL) ?? [];
  return written.map(trimWord).flatMap((each) => toUrl(each) ?? []);
}

/** As it is if it is too long or has something invisible in it, so that the error says so. */
function toUrl(text: string): string | undefined {
  if (/^https?:\/\//i.test(text) && (isTooLong(text) || hasInvisible(text))) return text;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}

function isUrl(word: string): boolean {
  return parseOriginalUrl(word).ok;
}
