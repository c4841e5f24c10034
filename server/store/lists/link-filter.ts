import { urlsOf } from '../../../shared/links/destinations.ts';
import { eachExactField } from '../../../shared/links/plain-fields.ts';
import { searchWords } from '../../../shared/links/search-words.ts';
import { hasAllWords, searchedText } from '../../../shared/links/searched-text.ts';
import { foldTag } from '../../../shared/text.ts';
import { hostOfUrl, isWithin } from '../../lib/host-name.ts';
import type { Link, LinkJson } from '../link.ts';
import type { LinkConditions } from '../link-calls.ts';

/** Whether any URL of a link passes, see `urlsOf`. */
export function hasUrl(link: Link, passes: (url: string) => boolean): boolean {
  if (passes(link.targetUrl)) return true;
  // This is asked at each visit.
  if (!hasOtherUrls(link)) return false;
  const { rules, goneUrl, card } = link;
  return urlsOf({ rules, goneUrl, card }).some(({ url }) => passes(url));
}

/** Whether a link has other URLs than that of its target. Most have none. */
export function hasOtherUrls({ rules, goneUrl, card }: Link): boolean {
  return rules.length > 0 || goneUrl !== null || card !== null;
}

type Passes = (link: Link) => boolean;
type Condition<Value> = (value: NonNullable<Value>) => Passes | undefined;

/** Which links pass each condition, in the order in which they are checked. Undefined: all of them. */
const CONDITIONS: { [K in keyof LinkConditions]-?: Condition<LinkConditions[K]> } = {
  isDeleted: (isDeleted) => (link) => isDeleted === (link.deletedAt !== null),
  // An import takes over when a link was edited elsewhere.
  editedSince: (time) => (link) => link.version > 1 && (link.editedAt ?? 0) >= time,
  exceptId: (exceptId) => (link) => exceptId !== link.id,
  ...eachExactField((name) => (value: unknown) => (link: Link) => link[name] === value),
  host: (host) => (link) => hasUrl(link, (url) => isTo(host, url)),
  tag: (tag) => {
    const folded = foldTag(tag);
    return (link) => foldedTags(link).includes(folded);
  },
  search: (search) => {
    const words = searchWords(search);
    return words.length === 0 ? undefined : (link) => hasAllWords(searchedText(link), words);
  },
  matches: (matches) => matches,
};
const NAMES = Object.keys(CONDITIONS) as (keyof LinkConditions)[];

/** Returns what conditions ask for: nothing, if there are none, or for example for a search without words. */
export function predicatesOf(conditions: LinkConditions): Passes[] {
  return NAMES.flatMap((name) => {
    const value = conditions[name] ?? undefined;
    const toPasses = CONDITIONS[name] as Condition<typeof value>;
    return value === undefined ? [] : (toPasses(value) ?? []);
  });
}

/** @returns whether a link passes all conditions */
export function linkFilter(conditions: LinkConditions): Passes {
  const predicates = predicatesOf(conditions);
  return (link) => predicates.every((passes) => passes(link));
}

/** A look into the text is faster than taking it apart. An IPv6 address may hold the host, an IPv4 address. */
function isTo(host: string, url: string): boolean {
  const mayBe = url.includes(host) || url.includes('://[');
  return mayBe && isWithin(hostOfUrl(url), host);
}

/** Returns the key by which a list is sorted by alias: the same alias on several domains is in one place. */
export function aliasOrder({ alias }: Pick<Link, 'alias'>): string {
  const key = alias.toLowerCase();
  const slash = key.lastIndexOf('/');
  return slash === -1 ? key : `${key.slice(slash + 1)} ${key.slice(0, slash)}`;
}

export function foldedTags({ tags = [] }: Pick<LinkJson, 'tags'>): string[] {
  return tags.map(foldTag);
}
