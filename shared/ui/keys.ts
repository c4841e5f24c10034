const LATIN = /^\p{Script=Latin}/u;
const ASCII = /^[ -~]/;
const LETTER = /^Key([A-Z])$/;
/** Keys whose signs are elsewhere, or missing, on keyboards of other scripts. */
const SIGNS = new Map([
  ['Slash', '/?'],
  ['Period', '.>'],
]);

/**
 * Returns a key as a Latin keyboard has it: a letter is the one at the same place where people write Arabic, Greek
 * or Cyrillic, and its case depends on Shift alone, not on Caps Lock.
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

/**
 * Whether a key belongs to an input method, for example Enter that accepts a word or an arrow that
 * moves in its list. Safari reports the last key of a composition only by its code.
 */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

const SETTING_NAME = 'single-keys';

/**
 * Whether keys do something outside of fields (WCAG 2.2, 2.1.4): in the list, and in the popup, where a letter
 * starts a new alias. Remembered on this device.
 */
export function areKeysOn(): boolean {
  return read() !== 'off';
}

export function setKeysOn(isOn: boolean): void {
  try {
    localStorage.setItem(SETTING_NAME, isOn ? 'on' : 'off');
  } catch {
    // Storage is forbidden: the setting lasts as long as the page.
    unsaved = isOn ? 'on' : 'off';
  }
}

let unsaved: string | undefined;

function read(): string | null | undefined {
  try {
    return unsaved ?? localStorage.getItem(SETTING_NAME);
  } catch {
    return unsaved;
  }
}

/** Whether a field that has the focus opens no keyboard on the screen, which would cover the page. */
export function hasKeyboard(): boolean {
  return !matchMedia('(pointer: coarse)').matches;
}
