import { ORIGINAL_URL_MAX_CHARACTERS, TARGET_URL_MAX_CHARACTERS } from '../../shared/limits.ts';
import { parseOriginalUrl } from '../../shared/original-url.ts';

/** Text that reads as an address, as a whole; a sentence does not. */
export function parseTypedUrl(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  if (text === '' || /\s/.test(text)) return undefined;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}

/** Whether an address is longer than a link's target may be, as written or percent-encoded. */
export function isTooLong(address: string): boolean {
  if (address.length > ORIGINAL_URL_MAX_CHARACTERS) return true;
  return (URL.parse(address)?.href.length ?? 0) > TARGET_URL_MAX_CHARACTERS;
}
