import { CUSTOM_ALIAS_MAX_CHARACTERS } from '../../shared/bounds.ts';
import { type Domain, type Domains, isReserved } from '../domains/short-domains.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Link } from '../store/link.ts';
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

/**
 * @returns the error if an alias certainly cannot be had; the store has the final say
 * @param own the link that may keep it
 */
export async function aliasConflict(
  storedAlias: string,
  accountId: string,
  dependencies: AliasDependencies,
  own?: Link,
): Promise<ServiceError | undefined> {
  const holder = await findHolder(storedAlias, dependencies);
  const isFree = holder ? holder.id === own?.id : !isReserved(storedAlias);
  return isFree ? undefined : aliasTaken(storedAlias, accountId, dependencies, holder);
}

/**
 * @returns the error for an alias that cannot be had, with `suggestions`
 * @param storedAlias as the store has it
 * @param accountId whoever asks, and learns which aliases are its own
 * @param known the link that has it, if the caller has found it
 */
export async function aliasTaken(
  storedAlias: string,
  accountId: string | undefined,
  dependencies: AliasDependencies,
  known?: Link,
): Promise<ServiceError> {
  const { store, randomBytes, domains } = dependencies;
  const { domain, alias } = domains.split(storedAlias);
  const isFree = (candidate: string) => store.isAliasFree(domains.qualify(domain, candidate));
  const holder = known ?? (await findHolder(storedAlias, dependencies));
  const own = holder?.accountId === accountId ? holder : undefined;
  return new ServiceError('alias_taken', `The alias "${alias}" ${whyTaken(alias, own)}`, {
    suggestions: await suggestAliases(alias, isFree, randomBytes),
  });
}

/** No link has a reserved alias. */
async function findHolder(storedAlias: string, { store }: Pick<AliasDependencies, 'store'>) {
  return isReserved(storedAlias) ? undefined : store.findLink(storedAlias);
}

function whyTaken(alias: string, own: Link | undefined): string {
  if (isReserved(alias)) return 'is reserved for the server.';
  if (!own) return 'is already taken.';
  return own.deletedAt === null
    ? 'is already taken by another link of this account.'
    : 'belongs to a deleted link of this account. Restore that link, or delete it permanently.';
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
