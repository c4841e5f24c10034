/**
 * Whether a key belongs to an input method, for example Enter that accepts a word or an arrow that
 * moves in its list. Safari reports the last key of a composition only by its code.
 */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}
