/**
 * White space, and characters that show nothing: soft hyphens, zero width characters, direction marks, fillers.
 * Not the selectors and tags that are part of an emoji.
 */
const NOTHING_TO_SEE =
  /[\s\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/;

/** Removes white space and invisible characters at both ends, which copying adds. */
export function trimText(text: string): string {
  // A pattern for the end would look at each run of spaces in the middle to its end.
  let start = 0;
  let end = text.length;
  while (start < end && NOTHING_TO_SEE.test(text.charAt(start))) start++;
  while (end > start && NOTHING_TO_SEE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const EACH_NOT_ASCII_UNIT = /[^\0-\x7f]/g;

/** Removes invisible characters that are not ASCII, wherever they are. */
export function withoutInvisible(text: string): string {
  return text.replace(EACH_NOT_ASCII_UNIT, (character) =>
    NOTHING_TO_SEE.test(character) ? '' : character,
  );
}

const NOT_ASCII = /[^\0-\x7f]/;
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Those that letters are combined with, of all scripts. */
const MARKS = /[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu;
const FOLDED_LETTERS = new Map([
  ['ß', 'ss'],
  ['ς', 'σ'],
]);
/** Letters whose stroke or ligature is no mark of its own in Unicode. */
const PLAIN_LETTERS = new Map([
  ...FOLDED_LETTERS,
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ø', 'o'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
]);

/** Returns the same for tags that look the same: case, kinds of spaces, spelling in Unicode. `ü` is not `u`. */
export function foldTag(tag: string): string {
  if (!NOT_ASCII.test(tag)) return tag.toLowerCase();
  return tag
    .replace(IGNORED, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/[ßς]/g, (letter) => FOLDED_LETTERS.get(letter) ?? letter)
    .normalize('NFC');
}

/** Returns what a search compares: without differences in case, width and diacritics. `Zürich` becomes `zurich`. */
export function foldSearched(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(EACH_NOT_ASCII, foldCharacter).toLowerCase();
}

const EACH_NOT_ASCII = /[^\0-\x7f]/gu;
/** Looking a character up takes a third of the time of folding it. There are never many at once. */
const folded = new Map<string, string>();
const FOLDED_MAX_CHARACTERS = 10_000;

function foldCharacter(character: string): string {
  const known = folded.get(character);
  if (known !== undefined) return known;
  const plain = character
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(/[ßςłđðøħŧıæœþ]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  if (folded.size === FOLDED_MAX_CHARACTERS) folded.clear();
  folded.set(character, plain);
  return plain;
}
