import { ORIGINAL_URL_MAX_CHARACTERS } from '../../shared/limits.ts';
import { parseOriginalUrl } from '../../shared/original-url.ts';

/** Text that reads as an address, as a whole; a sentence does not. */
export function readAddress(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  if (text === '' || /\s/.test(text)) return undefined;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}

/** Whether an address has more characters than a link's target may have. */
export function isTooLong(address: string): boolean {
  return address.length > ORIGINAL_URL_MAX_CHARACTERS;
}
