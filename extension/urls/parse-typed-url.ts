import { ORIGINAL_URL_MAX_CHARACTERS, TARGET_URL_MAX_CHARACTERS } from '../../shared/limits.ts';
import { parseOriginalUrl } from '../../shared/links/original-url.ts';

/** Parses text that is a URL as a whole; the protocol may be missing. */
export function parseTypedUrl(typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? '';
  if (text === '' || /\s/.test(text)) return undefined;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}

/** Whether a URL exceeds the maximum length, as written or percent-encoded. */
export function isTooLong(url: string): boolean {
  if (url.length > ORIGINAL_URL_MAX_CHARACTERS) return true;
  return (URL.parse(url)?.href.length ?? 0) > TARGET_URL_MAX_CHARACTERS;
}
