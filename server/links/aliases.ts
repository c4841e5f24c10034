import { CUSTOM_ALIAS_MAX_CHARACTERS } from '../../shared/limits.ts';
import { isReserved } from '../domains/named-domain.ts';
import type { Domain, Domains } from '../domains/short-domains.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Awaitable, Store } from '../store/store.ts';

/** The characters of generated aliases, without those that look alike: 0 and o; 1, i and l. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GENERATED_LENGTH = 7;
const SUGGESTIONS = 3;

export type AliasDependencies = { store: Store; randomBytes: RandomBytes; domains: Domains };

/**
 * Returns an endless sequence of random aliases, of which the store takes the first free one. Unlike a generator it
 * can be iterated any number of times, so all requests share it.
 */
export function generateAliases(
  randomBytes: RandomBytes,
  { prefix }: Pick<Domain, 'prefix'> = { prefix: '' },
): IterableIterator<string, never> {
  return {
    next() {
      let alias: string;
      do alias = randomText(GENERATED_LENGTH, randomBytes);
      while (isReserved(alias));
      return { value: prefix + alias, done: false };
    },
    [Symbol.iterator]() {
      return this;
    },
  };
}

/** @returns the error for an alias that cannot be had, with `suggestions`. @param storedAlias as the store has it */
export async function aliasTaken(
  storedAlias: string,
  { store, randomBytes, domains }: AliasDependencies,
): Promise<ServiceError> {
  const { domain, alias } = domains.split(storedAlias);
  const isFree = (candidate: string) => store.isAliasFree(domains.qualify(domain, candidate));
  const message = isReserved(alias)
    ? `The alias "${alias}" is reserved for the server.`
    : `The alias "${alias}" is already taken.`;
  return new ServiceError('alias_taken', message, {
    suggestions: await suggestAliases(alias, isFree, randomBytes),
  });
}

/** Finds three available aliases that are similar to the taken one. */
export async function suggestAliases(
  taken: string,
  isFree: (alias: string) => Awaitable<boolean>,
  randomBytes: RandomBytes,
): Promise<string[]> {
  const suggestions: string[] = [];
  for (let number = 2; suggestions.length < SUGGESTIONS; number++) {
    // For a popular word, small numbers are taken: after a few, use random suffixes.
    const suffix = number < 6 ? String(number) : randomText(4, randomBytes);
    const candidate = `${taken.slice(0, CUSTOM_ALIAS_MAX_CHARACTERS - suffix.length - 1)}-${suffix}`;
    // Random suffixes may repeat.
    if (suggestions.includes(candidate) || isReserved(candidate)) continue;
    if (await isFree(candidate)) suggestions.push(candidate);
  }
  return suggestions;
}

/** Every character is equally likely: bytes above the last multiple of the alphabet are skipped. */
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
