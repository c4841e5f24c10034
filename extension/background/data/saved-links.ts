import { newestFirst } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { LinkStatus } from '../../../shared/links/link-status.ts';
import { definitionOf, isEmpty, PLAIN_NAMES } from '../../../shared/links/plain-fields.ts';
import type { SavedLink } from '../../links/link.ts';
import type { LinkReference } from '../../messaging/protocol.ts';
import type { IsObsolete } from '../../storage/define-item.ts';
import { hiddenLinkIds, privateLinks, savedLinks } from '../../storage/items.ts';

/** Of each server: enough to recognize pages, and to read offline. The server has all of them. */
export const SAVED_MAX = 200;

/** Lists all saved links, newest first. Links of private windows are not among them. */
export async function listLinks(): Promise<SavedLink[]> {
  return Object.values(await savedLinks.read())
    .flat()
    .sort(newestFirst);
}

/** Returns the saved links of a server, newest first. */
export async function linksOf(origin: string): Promise<SavedLink[]> {
  return (await savedLinks.read())[origin] ?? [];
}

export async function findLink({
  serverOrigin,
  shortUrl,
}: LinkReference): Promise<SavedLink | undefined> {
  return (await linksOf(serverOrigin)).find((link) => link.shortUrl === shortUrl);
}

/**
 * Finds the existing links of a URL on a server that work, newest first. In a private window, its own links come
 * first.
 */
export async function findLinks(
  origin: string,
  requestedUrl: string,
  isPrivate: boolean,
  nowMs: number,
): Promise<LinkRecord[]> {
  const links = [
    ...(isPrivate ? ((await privateLinks.read())[origin] ?? []) : []),
    ...(await linksOf(origin)),
  ];
  return links
    .filter((link) => link.requestedUrl === requestedUrl && isLive(link, nowMs))
    .map(toRecord);
}

/** Finds the newest plain link of a URL with one of these statuses. @param domain a host; undefined for any */
export async function findPlain(
  origin: string,
  requestedUrl: string,
  statuses: LinkStatus[],
  domain?: string | undefined,
): Promise<LinkRecord | undefined> {
  const links = (await linksOf(origin)).filter(
    (link) => link.requestedUrl === requestedUrl && statuses.includes(link.status),
  );
  const found = selectReusable(links, domain);
  return found && toRecord(found);
}

/**
 * Returns the newest plain link, which can be reused instead of creating another.
 *
 * @param domain a host; undefined for any
 */
export function selectReusable<L extends LinkRecord>(
  links: L[],
  domain?: string | undefined,
): L | undefined {
  return links.find((link) => isPlain(link) && (domain === undefined || link.domain === domain));
}

/** The server compares them, too, whatever a request for a new link says. */
const NOTICED_FIELDS = PLAIN_NAMES.filter(
  (name) => definitionOf(name).comparedForReuse === undefined,
);

/** Whether a link has no option that its visitors notice. */
function isPlain(link: LinkRecord): boolean {
  const { expiresAt, maxVisits, goneUrl, card, rules } = link;
  const values = [expiresAt, maxVisits, goneUrl, card, ...NOTICED_FIELDS.map((name) => link[name])];
  return values.every(isEmpty) && !link.hasPassword && rules.length === 0;
}

function isLive(link: LinkRecord, nowMs: number): boolean {
  if (link.status !== 'active') return false;
  return link.expiresAt === null || Date.parse(link.expiresAt) > nowMs;
}

/**
 * Saves a link as the newest of its server.
 *
 * @param requestedUrl as requested; the server may have added a protocol
 * @param isObsolete whether the link must not be saved any more
 * @throws StorageError
 */
export async function saveLink(
  origin: string,
  requestedUrl: string,
  link: LinkRecord,
  isPrivate: boolean,
  isObsolete?: IsObsolete,
): Promise<void> {
  const entry = { ...link, serverOrigin: origin, requestedUrl };
  noteChange(link.shortUrl);
  await (isPrivate ? privateLinks : savedLinks).update((all) => {
    const others = without(all[origin] ?? [], link.shortUrl);
    return { ...all, [origin]: [entry, ...others].slice(0, SAVED_MAX) };
  }, isObsolete);
}

export async function removeLink({ serverOrigin, shortUrl }: LinkReference): Promise<void> {
  noteChange(shortUrl);
  await updateSavedLinks(serverOrigin, (links) => without(links, shortUrl));
}

/** Call when the account is no longer in use. */
export async function deleteLinks(origin: string): Promise<void> {
  await savedLinks.deleteEntry(origin);
}

/** Puts an entry in the place of another one, or adds it. */
export async function replaceLink(
  replaced: LinkReference,
  link: SavedLink,
  isObsolete: IsObsolete,
): Promise<void> {
  noteChange(link.shortUrl);
  noteChange(replaced.shortUrl);
  await updateSavedLinks(
    replaced.serverOrigin,
    (links) => [...without(without(links, replaced.shortUrl), link.shortUrl), link],
    isObsolete,
  );
}

/**
 * Changes the saved links of a server, and keeps the newest ones, if they can be written: the server has them, too.
 *
 * @param isObsolete whether what was read from the server must not be saved any more
 */
export async function updateSavedLinks(
  origin: string,
  change: (links: SavedLink[]) => SavedLink[],
  isObsolete?: IsObsolete,
): Promise<void> {
  await savedLinks.updateIfPossible((all) => {
    const { [origin]: before, ...others } = all;
    const links = change(before ?? []);
    if (links.length === 0) return others;
    return { ...others, [origin]: links.toSorted(newestFirst).slice(0, SAVED_MAX) };
  }, isObsolete);
}

function without(links: SavedLink[], shortUrl: string): SavedLink[] {
  return links.filter((link) => link.shortUrl !== shortUrl);
}

function toRecord({ serverOrigin: _, requestedUrl: __, ...record }: SavedLink): LinkRecord {
  return record;
}

/** Returns a link as its server has it now. @param before its entry so far: the server has not the URL as requested */
export function toEntry(serverOrigin: string, record: LinkRecord, before?: SavedLink): SavedLink {
  const requestedUrl =
    before?.originalUrl === record.originalUrl ? before.requestedUrl : record.originalUrl;
  return { ...record, serverOrigin, requestedUrl };
}

const watchers = new Set<Set<string>>();

/** Call whenever an entry of the list is written or removed. */
function noteChange(shortUrl: string): void {
  for (const changed of watchers) changed.add(shortUrl);
}

/**
 * Collects the short URLs of all saved links that change from now on, until `stop`. What is read
 * meanwhile is older.
 */
export function watchChanges(): { changed: ReadonlySet<string>; stop(): void } {
  const changed = new Set<string>();
  watchers.add(changed);
  return { changed, stop: () => void watchers.delete(changed) };
}

/**
 * Keeps a link of a private window out of the list, which has the links of its account.
 *
 * @param isErased whether the data has been erased since the link was created or found
 */
export async function hideLink(
  origin: string,
  id: string,
  isErased?: () => boolean,
): Promise<void> {
  await hiddenLinkIds.update((all) => {
    const { [origin]: ids = [] } = all;
    return ids.includes(id) ? all : { ...all, [origin]: [...ids, id] };
  }, isErased);
}
