import { truncate } from '../../../shared/links/truncate.ts';
import type { LinkSummary } from '../../links/link.ts';

/** Browsers truncate longer descriptions. */
const TITLE_SHOWN_CHARACTERS = 80;
/** Characters that are invalid in XML, or that could reorder the URL after the title. */
const UNSAFE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Formats a suggestion for the address bar: XML in Chromium, plain text in Firefox. */
export function describeSuggestion(
  { title, originalUrl, shortUrl }: LinkSummary,
  isXml = !import.meta.env.FIREFOX,
): string {
  const name = truncate(title || originalUrl.replace(/^https?:\/\//, ''), TITLE_SHOWN_CHARACTERS);
  const url = plainDescription(shortUrl, isXml);
  const markup = isXml ? `<url>${url}</url>` : url;
  return `${plainDescription(name, isXml)} – ${markup}`;
}

/** Escapes plain text. */
export function plainDescription(text: string, isXml = !import.meta.env.FIREFOX): string {
  const safe = text.replace(UNSAFE, ' ');
  return isXml ? safe.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : safe;
}
