import { TITLE_MAX_CHARACTERS } from '../shared/limits.ts';

/** Pages write anything into their titles; a link's is one line of limited length. */
export function fitTitle(title: string): string {
  return clip(title.replace(/[\p{Cc}\s]+/gu, ' ').trim(), TITLE_MAX_CHARACTERS);
}

export function clip(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}
