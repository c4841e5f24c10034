import { parseOriginalUrl } from '../../shared/original-url.ts';
import { isTooLong } from './parse-typed-url.ts';

/** Why a page has no short link; each has a sentence of its own. */
export type UnsupportedReason =
  | 'page_without_address'
  | 'page_of_browser'
  | 'page_of_extension'
  | 'page_is_file'
  | 'page_is_short_domain'
  | 'page_address_too_long'
  | 'page_address_unfit';

const OF_EXTENSION = /^(chrome|moz|edge|safari-web)-extension:/i;
const WEB = /^https?:/i;

/**
 * Whether a page's address can be shortened, known without a call: `undefined` when it can.
 *
 * @param address the tab's URL; browsers leave it out where an extension may not know it
 * @param serverOrigin a short link to the short domain itself would be a loop
 */
export function findUnsupportedReason(
  address: string | undefined,
  serverOrigin: string,
): UnsupportedReason | undefined {
  if (!address) return 'page_without_address';
  if (OF_EXTENSION.test(address)) return 'page_of_extension';
  if (/^file:/i.test(address)) return 'page_is_file';
  if (!WEB.test(address)) return 'page_of_browser';
  if (isTooLong(address)) return 'page_address_too_long';
  if (!URL.canParse(address) || !parseOriginalUrl(address).ok) return 'page_address_unfit';
  if (new URL(address).host === new URL(serverOrigin).host) return 'page_is_short_domain';
  return undefined;
}
