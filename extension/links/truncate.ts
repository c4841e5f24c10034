import { DESCRIPTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../../shared/limits.ts';

/** Pages write anything into their titles; a link's is one line of limited length. */
export function fitTitle(title: string): string {
  return truncate(title.replace(/[\p{Cc}\s]+/gu, ' ').trim(), TITLE_MAX_CHARACTERS);
}

/** The same of what may have line breaks. */
export function fitDescription(description: string): string {
  return truncate(description.replace(/[^\P{Cc}\r\n]/gu, ' ').trim(), DESCRIPTION_MAX_CHARACTERS);
}

export function truncate(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}
