/** Fills in the substitutions, which are not searched again: `$1` is the first one. */
export function fillIn(text: string, substitutions: readonly string[]): string {
  return text.replace(/\$([1-9])/g, (_, place: string) => substitutions[Number(place) - 1] ?? '');
}
