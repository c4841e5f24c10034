import { expect, test } from 'vitest';
import { latinKey } from '../../../../shared/ui/keys.ts';

test.each([
  ['Arabic', 'ن', 'KeyK', false, 'k'],
  ['Arabic, where one key writes two letters', 'لا', 'KeyB', false, 'b'],
  ['Cyrillic', 'л', 'KeyK', false, 'k'],
  ['Cyrillic with Shift', 'Л', 'KeyK', true, 'K'],
  ['Cyrillic with Caps Lock', 'Л', 'KeyK', false, 'k'],
  ['Greek', 'ξ', 'KeyJ', false, 'j'],
  ['Hebrew', 'ח', 'KeyJ', false, 'j'],
  ['Hebrew, where the slash is a letter’s', '/', 'KeyQ', false, '/'],
  ['Arabic, where a letter is on the slash', 'ظ', 'Slash', false, '/'],
  ['Arabic, where a sign is on the slash', '؟', 'Slash', true, '?'],
  ['Latin with Caps Lock', 'X', 'KeyX', false, 'x'],
  ['Latin with Caps Lock and Shift', 'x', 'KeyX', true, 'X'],
  ['Dvorak', 'j', 'KeyC', false, 'j'],
  ['German', 'ö', 'Semicolon', false, 'ö'],
  ['a sign', '?', 'Slash', true, '?'],
  ['a key with a name', 'Delete', 'Delete', false, 'Delete'],
  ['an arrow', 'ArrowDown', 'ArrowDown', false, 'ArrowDown'],
])('the key of a keyboard for %s is that of a Latin one', (_, key, code, shiftKey, latin) => {
  expect(latinKey({ key, code, shiftKey })).toBe(latin);
});
