import { formatCount } from '../i18n/plural.ts';
import { t } from '../i18n/translate.ts';
import { parseOriginalUrl } from '../links/original-url.ts';
import { stripTracking } from '../links/strip-tracking.ts';
import { unwrapUrl } from '../links/unwrap-url.ts';
import { readTypedUrl } from '../links/url-in-text.ts';

/** A URL without what was removed from it, the one that was given, and a text that says so. */
export type Cleaned = { url: string; full: string; text: string };

/** Removes from a URL what only tracks, and the link around it. @returns undefined if it has neither */
export function cleanUrl(given: string): Cleaned | undefined {
  const parsed = parseOriginalUrl(readTypedUrl(given));
  if (!parsed.ok) return undefined;
  const { originalUrl: full } = parsed;
  const { url: inner, host } = unwrapUrl(full);
  const { url, names } = stripTracking(inner);
  if (host !== undefined) return { url, full, text: t('url_unwrapped', host) };
  if (names.length === 0) return undefined;
  return { url, full, text: formatCount('tracking_removed', names.length) };
}
