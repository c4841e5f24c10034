const PRIME = 0x01000193;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const BLOCK_CHARACTERS = 5;
/** The part of the seed that decides which keys collide. */
export const FAMILIES = 128;

/** FNV-1a with a random seed: an example of a hash that attackers can defeat. */
export function seededFnv(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  return hash >>> 0;
}

/**
 * Keys with the same hash under `seededFnv` for every seed with these low 7 bits. XOR with an ASCII
 * character changes only the low 7 bits of a state, so the rest of the seed adds the same value to the
 * states of all keys of one length. All 128 families can be computed in a second.
 *
 * @param blocks each family has 2 to the power of `blocks` keys, which differ in as many places
 * @returns a family of keys for each value of the low 7 bits
 */
export function collidingFamilies(blocks: number): string[][] {
  let suffixes = [''];
  let state = 0;
  for (let block = 0; block < blocks; block++) {
    const [one, other] = collidingBlocks(state);
    suffixes = suffixes.flatMap((suffix) => [suffix + one, suffix + other]);
    state = seededFnv(one, state);
  }
  return Array.from({ length: FAMILIES }, (_, low) => {
    const prefix = prefixToZero(low);
    return suffixes.map((suffix) => prefix + suffix);
  });
}

function collidingBlocks(state: number): [string, string] {
  const seen = new Map<number, string>();
  for (let number = 0; ; number++) {
    const block = textOf(number, BLOCK_CHARACTERS);
    const hash = seededFnv(block, state);
    const other = seen.get(hash);
    if (other !== undefined) return [other, block];
    seen.set(hash, block);
  }
}

/** Three characters that lead from these low 7 bits to zeros. */
function prefixToZero(low: number): string {
  for (let number = 0; number < CHARACTERS.length ** 3; number++) {
    const prefix = textOf(number, 3);
    if (seededFnv(prefix, low) % FAMILIES === 0) return prefix;
  }
  throw new Error(`no prefix for ${low}`);
}

function textOf(number: number, characters: number): string {
  let [text, rest] = ['', number];
  for (let index = 0; index < characters; index++) {
    text += CHARACTERS[rest % CHARACTERS.length];
    rest = Math.floor(rest / CHARACTERS.length);
  }
  return text;
}
