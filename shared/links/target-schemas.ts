import { z } from 'zod';
import { ALIAS_PATTERN } from '../bounds.ts';
import type { ErrorCode } from '../errors.ts';
import { type OriginalUrlResult, parseOriginalUrl, parseTarget } from './original-url.ts';
import { isWebScheme, schemeOf, UNSAFE_SCHEMES } from './schemes.ts';

/** Returns the error code of an issue. Issues without one are `invalid_request`. */
export function errorCode(code: ErrorCode) {
  return { errorCode: code };
}

/** Clients open and copy these URLs, so a server must not send `javascript:` or lines of a script. */
export function isWebUrl(url: string): boolean {
  return isTarget(url) && isWebScheme(schemeOf(url));
}

/** Clients take the alias out of these: an origin and an alias. */
export function isShortUrl(url: string): boolean {
  if (!isWebUrl(url)) return false;
  const { origin, pathname } = new URL(url);
  return url === origin + pathname && ALIAS_PATTERN.test(pathname.slice(1));
}

/** Clients show and copy these, and open them only by way of the short URL. */
export function isTarget(url: string): boolean {
  const scheme = URL.parse(url)?.protocol.slice(0, -1);
  return scheme !== undefined && !UNSAFE_SCHEMES.includes(scheme) && !/\p{Cc}/u.test(url);
}

const parsedUrl = (parse: (input: string) => OriginalUrlResult) =>
  z.string().transform((input, context) => {
    const result = parse(input);
    if (result.ok) return { text: result.originalUrl, url: result.url };
    context.addIssue({ code: 'custom', message: result.reason, params: errorCode('invalid_url') });
    return z.NEVER;
  });

/** A page on the web, with its parsed form. */
export const webUrlSchema = parsedUrl(parseOriginalUrl);

/** A URL to shorten, with its parsed form. */
export const originalUrlSchema = parsedUrl(parseTarget).describe(
  'URL to shorten, up to 8,192 characters: http or https, or another scheme that the server allows (`EXTRA_SCHEMES`). `https://` is prepended if it has none.',
);

/** Another URL that a link can lead to: the same rules, serialized by the WHATWG URL parser. */
export const targetSchema = originalUrlSchema.transform(({ url }) => url.href);
