import { CUSTOM_ALIAS_MAX_CHARACTERS } from '../../shared/limits.ts';
import type { Store } from '../store/store.ts';

/** No look-alikes: neither 0 and o, nor 1, i and l. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GENERATED_LENGTH = 7;
const SUGGESTIONS = 3;

type RandomBytes = (size: number) => Buffer;

/** First path segments that the server serves or will serve; those with a dot can be no alias. */
export const RESERVED_ALIASES = ['api', 'assets', 'dashboard'];

export function isReserved(alias: string): boolean {
  return RESERVED_ALIASES.includes(alias.toLowerCase());
}

/**
 * Made-up aliases without end, for the store to try until one is free. It can be left and gone
 * through again any number of times, unlike a generator: all calls share it.
 */
export function generateAliases(randomBytes: RandomBytes): IterableIterator<string, never> {
  return {
    next() {
      let alias: string;
      do alias = randomText(GENERATED_LENGTH, randomBytes);
      while (isReserved(alias));
      return { value: alias, done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}

/** Three free aliases that resemble the one that is taken. */
export async function suggestAliases(
  taken: string,
  store: Store,
  randomBytes: RandomBytes,
): Promise<string[]> {
  const suggestions: string[] = [];
  for (let ending = 2; suggestions.length < SUGGESTIONS; ending++) {
    // A popular word has its small numbers taken: after a few, chance is the shorter way.
    const suffix = ending < 6 ? String(ending) : randomText(4, randomBytes);
    const candidate = `${taken.slice(0, CUSTOM_ALIAS_MAX_CHARACTERS - suffix.length - 1)}-${suffix}`;
    // Chance repeats itself, if seldom.
    if (suggestions.includes(candidate) || isReserved(candidate)) continue;
    if (!(await store.findLink(candidate))) suggestions.push(candidate);
  }
  return suggestions;
}

/** Every character as likely as every other: bytes past the last whole alphabet are drawn again. */
function randomText(length: number, randomBytes: RandomBytes): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
