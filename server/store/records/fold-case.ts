/**
 * A text in which letters of different case are equal. Unlike `toLowerCase`, it does not depend on the
 * letters around: there, a Greek sigma at the end of a word becomes another letter.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
