import { computed, signal } from '@preact/signals';
import { formatCopy } from '../../links/copy-format.ts';
import { insertLinks } from '../../links/insert-links.ts';
import type { ListedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import type { Failure, LinkList, LinksChanged, Send } from '../../messaging/protocol.ts';

export type LinksTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  nowMs(): number;
};
export type LinksState = ReturnType<typeof createLinksState>;

const NONE: LinkList = { links: [], droppedCount: 0, copyFormat: 'url', synced: [] };

/** The state and actions of My links. Its components only render them. */
export function createLinksState({ send, copy, nowMs }: LinksTools, { initialQuery = '' } = {}) {
  const list = signal<LinkList>(NONE);
  /** Why the list couldn't be read or changed. */
  const failure = signal<Failure | undefined>(undefined);
  const query = signal(initialQuery);
  /** The short URL copied last, and whether that worked. */
  const copied = signal<{ shortUrl: string; isCopied: boolean } | undefined>(undefined);
  /** Links removed since the page was opened, most recent last. */
  const removed = signal<ListedLink[]>([]);
  const shownQr = signal<ListedLink | undefined>(undefined);

  const links = computed(() => list.value.links);
  /** Each link is prepared once, no matter how often the list changes. */
  const prepared = new WeakMap<ListedLink, Searchable<ListedLink>>();
  function prepare(link: ListedLink): Searchable<ListedLink> {
    const found = prepared.get(link) ?? makeSearchable(link);
    prepared.set(link, found);
    return found;
  }
  const searchable = computed(() => links.value.map(prepare));
  const found = computed(() =>
    query.value.trim() ? searchLinks(searchable.value, query.value) : links.value,
  );

  let loading: Promise<void> | undefined;
  /** Whether the list changed while it was being read. */
  let isStale = false;

  /** Reads the whole list. Concurrent calls share one read. */
  function load(): Promise<void> {
    if (loading) isStale = true;
    loading ??= loadUntilFresh().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function loadUntilFresh(): Promise<void> {
    do {
      isStale = false;
      const answer = await send('readLinks', {});
      // A stale list could bring back removed links for a moment.
      if (isStale) continue;
      failure.value = answer.ok ? undefined : answer;
      if (answer.ok) list.value = answer.data;
    } while (isStale);
  }

  /** Applies changes made here or on another page. */
  function applyChanges({ lists, droppedCount }: Omit<LinksChanged, 'kind'>): void {
    if (loading) isStale = true;
    const changed = new Set(lists.map(listName));
    const others = list.value.links.filter((link) => !changed.has(listName(link)));
    list.value = {
      ...list.value,
      links: insertLinks(
        others,
        lists.flatMap((one) => one.links),
      ),
      ...(droppedCount !== undefined && { droppedCount }),
    };
  }

  /** Updates the list at once, before the background reports the change. */
  function show(links: ListedLink[]): void {
    if (loading) isStale = true;
    list.value = { ...list.value, links };
  }

  function search(text: string): void {
    query.value = text;
  }

  async function copyLink(link: ListedLink): Promise<void> {
    // Reset first, so that a second click is visible and announced again.
    copied.value = undefined;
    const isCopied = await copy(formatCopy(link, list.value.copyFormat));
    copied.value = { shortUrl: link.shortUrl, isCopied };
  }

  async function remove(link: ListedLink): Promise<void> {
    const { serverOrigin, requestedUrl, shortUrl } = link;
    copied.value = undefined;
    const answer = await send('removeLink', { serverOrigin, requestedUrl, shortUrl });
    // A double click removes the link once.
    failure.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    removed.value = [...removed.value.filter((one) => one !== link), link];
    show(links.value.filter((one) => one.shortUrl !== shortUrl));
  }

  /** Restores the link that was removed last. */
  async function undo(): Promise<void> {
    const last = removed.value.at(-1);
    if (!last) return;
    const answer = await send('restoreLink', { link: last });
    failure.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    removed.value = removed.value.filter((link) => link !== last);
    const others = links.value.filter(({ shortUrl }) => shortUrl !== last.shortUrl);
    show(insertLinks(others, [last]));
  }

  function clearRemoved(): void {
    removed.value = [];
  }

  function showQr(link: ListedLink | undefined): void {
    shownQr.value = link;
  }

  return {
    list,
    failure,
    query,
    copied,
    removed,
    shownQr,
    links,
    found,
    nowMs,
    load,
    applyChanges,
    search,
    copyLink,
    remove,
    undo,
    clearRemoved,
    showQr,
  };
}

function listName({
  serverOrigin,
  requestedUrl,
}: Pick<ListedLink, 'serverOrigin' | 'requestedUrl'>): string {
  return `${serverOrigin} ${requestedUrl}`;
}
