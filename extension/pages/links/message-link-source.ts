import { computed, signal } from '@preact/signals';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import { type ShownLink, statusOf } from '../../../shared/links/shown-link.ts';
import { formatDropped } from '../../../shared/ui/links/count-text.ts';
import type {
  LinkFailure,
  LinkQuery,
  LinkSource,
  Outcome,
} from '../../../shared/ui/links/link-source.ts';
import { insertLinks } from '../../links/insert-links.ts';
import type { ListedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import { listName } from '../../links/list-name.ts';
import type {
  Answer,
  Failure,
  LinkList,
  LinkReference,
  LinksChanged,
  Send,
  SyncReport,
} from '../../messaging/protocol.ts';
import { failureText, noticeOf } from './source-texts.ts';

export type MessageLinkSource = ReturnType<typeof createMessageLinkSource>;

const NONE: LinkList = { links: [], droppedCount: 0, copyFormat: 'url', synced: [] };

/**
 * The links that the background stores: those of this browser, and a copy of those of the accounts in
 * use. The whole list is in memory, so searching it needs neither the background nor the server.
 */
export function createMessageLinkSource(send: Send) {
  const list = signal<LinkList>(NONE);
  /** How the latest sync went, by server. */
  const reports = signal<SyncReport[]>([]);
  const listeners = new Set<() => void>();
  /** Each link is prepared for searches once, no matter how often the list changes. */
  const prepared = new WeakMap<ListedLink, Searchable<ListedLink>>();

  let isLoaded = false;
  let loading: Promise<Failure | undefined> | undefined;
  /** Whether the list changed while it was being read. */
  let isStale = false;

  /** Reads the whole list. Concurrent calls share one read. @returns why it failed */
  function load(): Promise<Failure | undefined> {
    if (loading) isStale = true;
    loading ??= loadUntilFresh().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function loadUntilFresh(): Promise<Failure | undefined> {
    for (;;) {
      isStale = false;
      const answer = await send('readLinks', {});
      // A stale list could bring back removed links for a moment.
      if (isStale) continue;
      if (!answer.ok) return answer;
      isLoaded = true;
      show(answer.data);
      return undefined;
    }
  }

  /** Has the background read the accounts from their servers. Changes arrive as messages. */
  async function sync(): Promise<void> {
    const answer = await send('syncLinks', {});
    if (answer.ok) reports.value = answer.data;
  }

  /** Applies changes made here or on another page. */
  function applyChanges({ lists, droppedCount }: Omit<LinksChanged, 'kind'>): void {
    if (loading) isStale = true;
    const changed = new Set(lists.map((one) => listName(one.serverOrigin, one.requestedUrl)));
    const others = list.value.links.filter(
      (link) => !changed.has(listName(link.serverOrigin, link.requestedUrl)),
    );
    show({
      ...list.value,
      links: insertLinks(
        others,
        lists.flatMap((one) => one.links),
      ),
      ...(droppedCount !== undefined && { droppedCount }),
    });
  }

  function show(next: LinkList): void {
    list.value = next;
    for (const listener of listeners) listener();
  }

  const source: LinkSource = {
    searchDelayMs: 0,
    notices: computed(() => {
      const missing = list.value.synced.reduce((sum, report) => sum + report.missing, 0);
      const dropped = list.value.droppedCount + missing;
      return [...reports.value.flatMap(noticeOf), ...(dropped > 0 ? [formatDropped(dropped)] : [])];
    }),

    async page(query) {
      if (query.status === 'deleted') {
        const deleted = toOutcome(await send('readDeletedLinks', {}));
        return deleted.ok ? { ok: true, data: { links: search(deleted.data, query) } } : deleted;
      }
      const failure = isLoaded ? undefined : await load();
      if (failure) return toFailure(failure);
      const { links } = list.value;
      return { ok: true, data: { links: search(links, query), total: links.length } };
    },

    async edit(link: ListedLink, changes, { isConditional = false } = {}) {
      const ifMatch = isConditional && link.managed ? linkEtag(link.managed) : undefined;
      const answer = await send('editLink', { link: toReference(link), changes, ifMatch });
      if (answer.ok) return answer;
      return { ...toFailure(answer, link), current: answer.current };
    },

    async remove(link: ListedLink) {
      const kind = link.managed ? 'deleteLink' : 'removeLink';
      return toOutcome(await send(kind, toReference(link)), link);
    },

    async restore(link: ListedLink) {
      if (link.managed) return toOutcome(await send('undeleteLink', { link }), link);
      const restored = toOutcome(await send('restoreLink', { link }), link);
      return restored.ok ? { ok: true, data: link } : restored;
    },

    async purge(link: ListedLink) {
      return toOutcome(await send('purgeLink', toReference(link)), link);
    },

    subscribe(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
  };

  function search(links: ListedLink[], { words, tag, status }: LinkQuery): ListedLink[] {
    const wanted = tag.trim().toLowerCase();
    const matching = links.filter(
      (link) =>
        (status === undefined || effectiveStatus(link) === status) &&
        (wanted === '' || link.managed?.tags?.some((one) => one.toLowerCase() === wanted)),
    );
    return words === '' ? matching : searchLinks(matching.map(prepare), words);
  }

  function prepare(link: ListedLink): Searchable<ListedLink> {
    const found = prepared.get(link) ?? makeSearchable(link);
    prepared.set(link, found);
    return found;
  }

  return { ...source, list, load, sync, applyChanges };
}

/** A link may have expired since the account was read. */
function effectiveStatus(link: ShownLink) {
  const hasExpired = link.expiresAt !== null && Date.parse(link.expiresAt) <= Date.now();
  return statusOf(link) === 'active' && hasExpired ? 'expired' : statusOf(link);
}

function toReference({ serverOrigin, requestedUrl, shortUrl }: ListedLink): LinkReference {
  return { serverOrigin, requestedUrl, shortUrl };
}

function toOutcome<T>(answer: Answer<T>, link?: ListedLink): Outcome<T> {
  return answer.ok ? answer : toFailure(answer, link);
}

function toFailure(failure: Failure, link?: ListedLink): LinkFailure {
  const { code, issues, suggestions } = failure;
  return { ok: false, code, issues, suggestions, text: failureText(failure, link?.serverOrigin) };
}
