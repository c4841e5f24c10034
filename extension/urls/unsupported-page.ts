import { isTooLong, parseOriginalUrl } from '../../shared/links/original-url.ts';

/** Why a page cannot be shortened. Each reason has its own message. */
export type UnsupportedReason =
  | 'page_without_url'
  /** The tab shows nothing yet. */
  | 'page_is_loading'
  /** It does by now, but browsers tell its URL only after a click. */
  | 'page_has_loaded'
  | 'page_of_browser'
  | 'page_of_extension'
  | 'page_is_file'
  | 'page_is_short_domain'
  | 'page_url_too_long'
  | 'page_url_invalid';

const OF_EXTENSION = /^(chrome|moz|edge|safari-web)-extension:/i;
const WEB = /^https?:/i;

/**
 * Finds out without a call why a URL cannot be shortened; returns undefined if it can.
 *
 * @param url of the tab; browsers omit it on pages that the extension may not access
 * @param serverOrigin is not allowed as a target, since that would be a redirect loop
 */
export function findUnsupportedReason(
  url: string | undefined,
  serverOrigin: string,
): UnsupportedReason | undefined {
  if (!url) return 'page_without_url';
  if (OF_EXTENSION.test(url)) return 'page_of_extension';
  if (/^file:/i.test(url)) return 'page_is_file';
  if (!WEB.test(url)) return 'page_of_browser';
  if (isTooLong(url)) return 'page_url_too_long';
  if (!URL.canParse(url) || !parseOriginalUrl(url).ok) return 'page_url_invalid';
  if (new URL(url).host === new URL(serverOrigin).host) return 'page_is_short_domain';
  return undefined;
}
