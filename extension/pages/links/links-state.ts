import { computed, signal } from '@preact/signals';
import { formatCopy } from '../../links/copy-format.ts';
import type { ListedLink } from '../../links/link.ts';
import { makeSearchable, type Searchable, searchLinks } from '../../links/link-search.ts';
import { insertLinks } from '../../links/newest-first.ts';
import type { Failure, LinkList, LinksChanged, Send } from '../../messaging/protocol.ts';

export type LinksTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  nowMs(): number;
};
export type LinksState = ReturnType<typeof createLinksState>;

const NONE: LinkList = { links: [], droppedCount: 0, copyFormat: 'url' };

/** All that the page of links shows and does; its components only draw it. */
export function createLinksState({ send, copy, nowMs }: LinksTools, { words = '' } = {}) {
  const list = signal<LinkList>(NONE);
  /** Why the list could not be read, or changed. */
  const failure = signal<Failure | undefined>(undefined);
  const query = signal(words);
  /** The short URL of which was last said whether it is in the clipboard. */
  const copied = signal<{ shortUrl: string; isCopied: boolean } | undefined>(undefined);
  /** Those removed since the page was opened, the last one last. */
  const removed = signal<ListedLink[]>([]);
  const shownQr = signal<ListedLink | undefined>(undefined);

  const links = computed(() => list.value.links);
  /** Each link is prepared once, however often the list changes around it. */
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
  /** What is being read may lack what has changed since. */
  let isStale = false;

  /** Reads the whole list: once, however many ask for it at the same time. */
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
      // It may bring back for a moment what was removed since.
      if (isStale) continue;
      failure.value = answer.ok ? undefined : answer;
      if (answer.ok) list.value = answer.data;
    } while (isStale);
  }

  /** Takes over what has changed, here or in another page. */
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

  /** At once: that the background tells of it takes a moment. */
  function show(links: ListedLink[]): void {
    if (loading) isStale = true;
    list.value = { ...list.value, links };
  }

  function search(words: string): void {
    query.value = words;
  }

  async function copyLink(link: ListedLink): Promise<void> {
    // Said anew, so that a second press is seen and heard to have done something.
    copied.value = undefined;
    const isCopied = await copy(formatCopy(link, list.value.copyFormat));
    copied.value = { shortUrl: link.shortUrl, isCopied };
  }

  async function remove(link: ListedLink): Promise<void> {
    const { serverOrigin, address, shortUrl } = link;
    copied.value = undefined;
    const answer = await send('removeLink', { serverOrigin, address, shortUrl });
    // Pressed twice, before its row went, it is removed once.
    failure.value = answer.ok ? undefined : answer;
    if (!answer.ok) return;
    removed.value = [...removed.value.filter((one) => one !== link), link];
    show(links.value.filter((one) => one.shortUrl !== shortUrl));
  }

  /** Puts the link back that was removed last. */
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

function listName({ serverOrigin, address }: Pick<ListedLink, 'serverOrigin' | 'address'>): string {
  return `${serverOrigin} ${address}`;
}
