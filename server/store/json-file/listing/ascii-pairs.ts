/** Pairs of ASCII characters, apart from control characters: 64 × 64 bits. */
export const PAIR_WORDS = 128;
const [SPACE, BACKTICK, DELETE] = [0x20, 0x60, 0x7f];

/** Adds the text's characters and pairs of adjacent characters. @param text in folded case */
export function addPairs(text: string, pairs: Int32Array): void {
  forEachPair(text, (pair) => {
    pairs[pair >>> 5] = (pairs[pair >>> 5] ?? 0) | (1 << (pair & 31));
  });
}

/** The pairs of a text that contains the search, or its only character. */
export function pairsOf(search: string): number[] {
  const pairs: number[] = [];
  forEachPair(search, (pair, isCharacter) => {
    if (!isCharacter || search.length === 1) pairs.push(pair);
  });
  return pairs;
}

export function hasPairs(pairs: Int32Array, search: number[]): boolean {
  return search.every((pair) => ((pairs[pair >>> 5] ?? 0) & (1 << (pair & 31))) !== 0);
}

/** A character has the same number as its pair with a space before it. */
function forEachPair(text: string, visit: (pair: number, isCharacter: boolean) => void): void {
  let before = -1;
  for (let at = 0; at < text.length; at++) {
    const code = codeOf(text.charCodeAt(at));
    if (code >= 0) visit(code, true);
    if (code >= 0 && before >= 0) visit(before * 64 + code, false);
    before = code;
  }
}

/** From 0 to 63, or -1 for other characters. Unique but for some punctuation: letters are in lower case. */
function codeOf(character: number): number {
  if (character < SPACE || character >= DELETE) return -1;
  return character - SPACE - (character >= BACKTICK ? 32 : 0);
}
