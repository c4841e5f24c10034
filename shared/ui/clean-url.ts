import { formatCount } from '../i18n/plural.ts';
import { t } from '../i18n/translate.ts';
import { stripTracking } from '../links/strip-tracking.ts';
import { unwrapUrl } from '../links/unwrap-url.ts';
import { readTypedUrl } from '../links/url-in-text.ts';

/** A URL as it was given, and what was removed from it. */
export type Cleaned = { full: string; text: string };

/** Returns a URL without what only tracks, or without the link around it. It is as given if there is neither. */
export function cleanUrl(full: string): { url: string; cleaned?: Cleaned } {
  const { url: inner, host } = unwrapUrl(readTypedUrl(full));
  const { url, names } = stripTracking(inner);
  if (host !== undefined) return { url, cleaned: { full, text: t('url_unwrapped', host) } };
  if (names.length === 0) return { url: full };
  return { url, cleaned: { full, text: formatCount('tracking_removed', names.length) } };
}
