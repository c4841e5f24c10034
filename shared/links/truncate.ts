import { DESCRIPTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../limits.ts';

/** Makes a page's title fit a link: one line of limited length. */
export function fitTitle(title: string): string {
  return truncate(title.replace(/[\p{Cc}\s]+/gu, ' ').trim(), TITLE_MAX_CHARACTERS);
}

/** Makes a description fit a link. It may have line breaks. */
export function fitDescription(description: string): string {
  return truncate(description.replace(/[^\P{Cc}\r\n]/gu, ' ').trim(), DESCRIPTION_MAX_CHARACTERS);
}

export function truncate(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}
