/** A signature has 256 bits. */
export const SIGNATURE_WORDS = 8;
const LAST_WORD = SIGNATURE_WORDS - 1;
/** The last bit is set only while the signature is unknown; then all bits are. */
const UNKNOWN_BIT = 1 << 31;
const LAST_FREE_BIT = 254;
const ASCII_END = 0x80;

/**
 * Writes the signature of a link: a bit for each of the short pieces of its texts that can be searched
 * for, and some for each whole tag. A link that lacks a bit of a query's signature does not match it.
 *
 * @param texts in folded case, with the tags
 * @param tags in folded case
 */
export function writeSignature(
  texts: string[],
  tags: string[],
  signatures: Int32Array,
  start: number,
): void {
  signatures.fill(0, start, start + SIGNATURE_WORDS);
  const set = (bit: number) => setBit(signatures, start, bit);
  for (const text of texts) forEachPiece(text, set);
  for (const tag of tags) forEachTagBit(tag, set);
}

/**
 * @param search in folded case, or undefined for any
 * @param tag in folded case, or undefined for any
 */
export function querySignature(search: string | undefined, tag: string | undefined): Int32Array {
  const signature = new Int32Array(SIGNATURE_WORDS);
  const set = (bit: number) => setBit(signature, 0, bit);
  if (search !== undefined) forEachPiece(search, set);
  if (tag !== undefined) {
    forEachPiece(tag, set);
    forEachTagBit(tag, set);
  }
  return signature;
}

export function isUnknown(signatures: Int32Array, start: number): boolean {
  return ((signatures[start + LAST_WORD] ?? 0) & UNKNOWN_BIT) !== 0;
}

/** Marks signatures as unknown; they match every query. */
export function fillUnknown(signatures: Int32Array, start: number, end: number): void {
  signatures.fill(-1, start, end);
}

/** Whether the signature at `start` has all bits of the query. */
export function mayMatch(signatures: Int32Array, start: number, query: Int32Array): boolean {
  for (let word = 0; word < SIGNATURE_WORDS; word++) {
    const bits = query[word] ?? 0;
    if (((signatures[start + word] ?? 0) & bits) !== bits) return false;
  }
  return true;
}

function setBit(signatures: Int32Array, start: number, bit: number): void {
  const word = start + (bit >>> 5);
  signatures[word] = (signatures[word] ?? 0) | (1 << (bit & 31));
}

/**
 * Pieces of three UTF-16 code units. Also those of one and two units that are not all ASCII, because
 * words in Chinese and Japanese often have only two characters.
 */
function forEachPiece(text: string, set: (bit: number) => void): void {
  let [first, second] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const third = text.charCodeAt(at);
    if (third >= ASCII_END) set(toBit(0, 0, third));
    if (at >= 1 && (second | third) >= ASCII_END) set(toBit(0, second, third));
    if (at >= 2) set(toBit(first, second, third));
    first = second;
    second = third;
  }
}

function toBit(first: number, second: number, third: number): number {
  const hash = mix(
    Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35),
  );
  return Math.min(hash >>> 24, LAST_FREE_BIT);
}

/** Four bits for the whole tag, because tags are few. */
function forEachTagBit(tag: string, set: (bit: number) => void): void {
  let hash = tag.length;
  for (let at = 0; at < tag.length; at++) hash = Math.imul(hash ^ tag.charCodeAt(at), 0x01000193);
  hash = mix(hash);
  for (const shift of [0, 8, 16, 24]) set(Math.min((hash >>> shift) & 0xff, LAST_FREE_BIT));
}

/** Spreads the differences of similar inputs over all bits. */
function mix(input: number): number {
  let hash = Math.imul(input ^ (input >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}
