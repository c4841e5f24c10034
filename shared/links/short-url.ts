import { ALIAS_PATTERN } from '../bounds.ts';
import { decodePercent } from '../decode-encoded.ts';
import { trimText, withoutInvisible } from '../text.ts';
import { trimWord } from './url-in-text.ts';

/** The start of a path segment that is an alias, and what follows: `+`, and what no alias has. */
const ALIAS_AND_REST = /^([\w-]+)([^\w-]*)$/;

/**
 * What is left of HTML, Markdown or Slack's links behind a URL: a tag, a quotation mark, an entity, `](` or a bar,
 * encoded or not.
 */
const MARKUP =
  /[<>"`|]|%(?:3[ce]|22|60|7c)|(?:\]|%5d)(?:\(|%28)|&(?:[lg]t|quot|nbsp|apos|#x?[\da-f]{1,6})(?:;|$)/i;
const NOT_ASCII = /(?:%[89a-f][\da-f])+/gi;
/** Punctuation, symbols, and scripts without spaces between words. */
const TEXT_AFTER_URL =
  /[\p{P}\p{S}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}]/u;
const SPACES = /[^\S\ufeff]/g;
/** Hyphens that word processors put for the plain one. Dashes are not among them: they end a URL. */
const HYPHENS = /[\u2010\u2011\ufe63\uff0d]/g;

/**
 * Cuts off what programs take for a part of a short URL: markup that they read as text, and text that follows without
 * a space. Reads `&amp;` as `&`.
 */
export function withoutMarkup(path: string): string {
  const plain = path.replaceAll('&amp;', '&');
  const starts = [plain.search(MARKUP)];
  for (const { 0: encoded, index } of plain.matchAll(NOT_ASCII)) {
    // In front of an alias, it is not what follows a URL.
    if (index <= 1) continue;
    const text = decodePercent(encoded).replace(HYPHENS, '').replace(SPACES, '|');
    if (TEXT_AFTER_URL.test(withoutInvisible(text))) starts.push(index);
  }
  return plain.slice(0, Math.min(...starts.map((start) => (start === -1 ? plain.length : start))));
}

/**
 * Reads the alias in the first path segment of a short URL, decoded. Chats and mail programs make punctuation after
 * a URL part of the link; word processors break it with something invisible, or replace its hyphens.
 */
export function readAlias(segment: string): { alias: string; inspects: boolean } | undefined {
  const [, alias = '', rest = ''] =
    ALIAS_AND_REST.exec(withoutInvisible(segment).replace(HYPHENS, '-')) ?? [];
  const pluses = rest.split('+').length - 1;
  return ALIAS_PATTERN.test(alias) && pluses <= 1 ? { alias, inspects: pluses === 1 } : undefined;
}

/**
 * Reads a short URL as people write, paste or click it: with or without a protocol, slash, `+` or query, its host
 * in Unicode or ASCII, and punctuation around it.
 *
 * @returns the host in ASCII, with its port unless that is the standard one
 */
export function readShortUrl(
  text: string,
): { protocol: string | undefined; host: string; alias: string } | undefined {
  const written = trimText(text);
  if (/\s/.test(written)) return undefined;
  // Keeps a `+` and a slash at the end.
  const word = trimWord(written);
  const protocol = /^https?:(?=\/\/)/i.exec(word)?.[0].toLowerCase();
  const url = URL.parse(protocol === undefined ? `https://${word}` : word);
  if (!url || url.username || url.password) return undefined;
  const [segment, ...others] = withoutMarkup(url.pathname).split('/').filter(Boolean);
  if (segment === undefined || others.length > 0) return undefined;
  const address = readAlias(decodePercent(segment));
  return address && { protocol, host: url.host, alias: address.alias };
}
