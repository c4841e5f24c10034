/** Makes a text fit a field with one line of limited length. */
export function fitLine(text: string, maxCharacters: number): string {
  return truncate(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), maxCharacters);
}

/** Makes a text fit a field of limited length that may have line breaks. */
export function fitText(text: string, maxCharacters: number): string {
  return truncate(text.replace(/[^\P{Cc}\r\n]/gu, ' ').trim(), maxCharacters);
}

export function truncate(text: string, maxCharacters: number): string {
  return [...text].slice(0, maxCharacters).join('');
}
