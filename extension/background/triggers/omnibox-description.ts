import type { LinkSummary } from '../../links/link.ts';
import { truncate } from '../../links/truncate.ts';

/** Browsers cut off more. */
const TITLE_SHOWN_CHARACTERS = 80;
/** What XML cannot hold, and what could turn the address after a title around. */
const UNFIT = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A suggestion in the address bar: Chromium reads XML there, Firefox shows plain text. */
export function describeSuggestion(
  { title, originalUrl, shortUrl }: LinkSummary,
  isXml = !import.meta.env.FIREFOX,
): string {
  const name = truncate(title || originalUrl.replace(/^https?:\/\//, ''), TITLE_SHOWN_CHARACTERS);
  const address = plainDescription(shortUrl, isXml);
  const mark = isXml ? `<url>${address}</url>` : address;
  return `${plainDescription(name, isXml)} – ${mark}`;
}

/** Text that is no more than itself. */
export function plainDescription(text: string, isXml = !import.meta.env.FIREFOX): string {
  const fit = text.replace(UNFIT, ' ');
  return isXml ? fit.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '') : fit;
}
