import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { parseOriginalUrl } from './original-url.ts';

/** The error code of an issue. Issues without one are `invalid_request`. */
export function errorCode(code: ErrorCode) {
  return { errorCode: code };
}

/** Clients open and copy these URLs, so a server must not send `javascript:` or lines of a script. */
export function isWebUrl(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '') && !/\p{Cc}/u.test(url);
}

/** A URL to shorten, with its parsed form. */
export const originalUrlSchema = z
  .string()
  .transform((input, context) => {
    const result = parseOriginalUrl(input);
    if (result.ok) return { text: result.originalUrl, url: result.url };
    context.addIssue({ code: 'custom', message: result.reason, params: errorCode('invalid_url') });
    return z.NEVER;
  })
  .describe(
    'URL to shorten, http or https, up to 8,192 characters. `https://` is prepended if it has no protocol.',
  );

/** Another URL that a link can lead to: the same rules, serialized by the WHATWG URL parser. */
export const targetSchema = originalUrlSchema.transform(({ url }) => url.href);
