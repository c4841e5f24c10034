import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { newestFirst, toShownLink } from '../../../shared/links/shown-link.ts';
import type { LinkSummary } from '../../links/link.ts';
import { listName } from '../../links/list-name.ts';
import type { Lists } from '../links/link-quota.ts';
import type { AccountLinks } from './fetch-links.ts';

export type MergeOptions = {
  /** Origin of the account's server. Lists of other servers stay as they are. */
  origin: string;
  /** Selects entries that changed here after the account was read. They stay as they are. */
  isNewer: (shortUrl: string) => boolean;
  /** Selects links that the list must not show. */
  isHidden: (id: string) => boolean;
  /** Whether links that the list doesn't have are added. */
  addsNew: boolean;
};

/**
 * Updates the entries of an account's links, and adds those of links that were created elsewhere. An
 * entry disappears only if its link was deleted. One that the account doesn't have stays, without what
 * only the account knows: it belongs to another account, or was deleted for good.
 *
 * @returns the changed lists
 */
export function mergeAccount(
  lists: Lists,
  account: AccountLinks,
  { origin, isNewer, isHidden, addsNew }: MergeOptions,
): Lists {
  const existing = indexRecords(account.existing);
  const deleted = indexRecords(account.deleted);
  const merged: Lists = new Map();
  const seen = new Set<string>();
  const put = (name: string, link: LinkSummary) =>
    void merged.set(name, [...(merged.get(name) ?? []), link]);

  for (const [name, links] of lists) {
    if (!name.startsWith(`${origin} `)) continue;
    merged.set(name, merged.get(name) ?? []);
    for (const link of links) {
      const record = existing(link);
      if (link.managed && isHidden(link.managed.id)) continue;
      if (isNewer(link.shortUrl)) {
        put(name, link);
      } else if (record && !seen.has(record.id)) {
        const isSameTarget = record.originalUrl === link.originalUrl;
        put(isSameTarget ? name : listName(origin, record.originalUrl), updateEntry(link, record));
      } else if (!record && !(link.managed && deleted(link))) {
        put(name, toUnknown(link));
      }
      if (record) seen.add(record.id);
    }
  }
  for (const record of addsNew ? account.existing : []) {
    if (seen.has(record.id) || isHidden(record.id) || isNewer(record.shortUrl)) continue;
    put(listName(origin, record.originalUrl), toShownLink(record));
  }
  return new Map(
    [...merged]
      .map(([name, links]): [string, LinkSummary[]] => [name, links.sort(newestFirst)])
      .filter(([name, links]) => !isEqual(links, lists.get(name) ?? [])),
  );
}

/** An entry with what its server says now. */
export function updateEntry(link: LinkSummary, record: LinkRecord): LinkSummary {
  // The page's title, which the server doesn't have, until somebody edits the link.
  const isEdited = link.managed !== undefined && link.managed.version !== record.version;
  return {
    ...toShownLink(record),
    title: record.title || (isEdited ? '' : link.title),
  };
}

/** An entry that the account doesn't have any more, without what only the account knows. */
export function toUnknown({ managed, ...local }: LinkSummary): LinkSummary {
  return managed ? { ...local, isUnknown: true } : local;
}

/** @returns a function that finds the record of an entry: by its ID, or by any of its short URLs */
function indexRecords(records: LinkRecord[]): (link: LinkSummary) => LinkRecord | undefined {
  const byId = new Map<string, LinkRecord>();
  const byShortUrl = new Map<string, LinkRecord>();
  for (const record of records) {
    byId.set(record.id, record);
    byShortUrl.set(record.shortUrl.toLowerCase(), record);
    for (const alias of record.furtherAliases) {
      byShortUrl.set(new URL(alias, record.shortUrl).href.toLowerCase(), record);
    }
  }
  return ({ managed, shortUrl }) =>
    managed ? byId.get(managed.id) : byShortUrl.get(shortUrl.toLowerCase());
}

/** Ignores the order of fields: browsers sort those of stored objects. */
function isEqual(one: LinkSummary[], other: LinkSummary[]): boolean {
  return one.length === other.length && sorted(one) === sorted(other);
}

function sorted(links: LinkSummary[]): string {
  return JSON.stringify(links, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
