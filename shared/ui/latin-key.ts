const LATIN = /^\p{Script=Latin}/u;
const ASCII = /^[ -~]/;
const LETTER = /^Key([A-Z])$/;
/** Keys whose signs are elsewhere, or missing, on keyboards of other scripts. */
const SIGNS = new Map([
  ['Slash', '/?'],
  ['Period', '.>'],
]);

/**
 * A key as a Latin keyboard has it: a letter is the one at the same place where people write Arabic,
 * Greek or Cyrillic, and its case depends on Shift alone, not on Caps Lock.
 */
export function latinKey({
  key,
  code,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  // Named keys, such as Delete, have Latin names.
  if (LATIN.test(key)) {
    if ([...key].length > 1) return key;
    return shiftKey ? key.toUpperCase() : key.toLowerCase();
  }
  if (ASCII.test(key)) return key;
  const [, letter] = LETTER.exec(code) ?? [];
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS.get(code)?.[shiftKey ? 1 : 0] ?? key;
}
