import { computed, signal } from '@preact/signals';
import { formatCopy } from '../../links/copy-format.ts';
import { makeSearchable, searchLinks } from '../../links/link-search.ts';
import type { LinkList, ListedLink, Refusal, Send } from '../../messaging/protocol.ts';

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
  const refusal = signal<Refusal | undefined>(undefined);
  const query = signal(words);
  /** The short URL of which was last said whether it is in the clipboard. */
  const copied = signal<{ shortUrl: string; isCopied: boolean } | undefined>(undefined);
  /** Those removed since the page was opened, the last one last. */
  const removed = signal<ListedLink[]>([]);
  const shownQr = signal<ListedLink | undefined>(undefined);

  const links = computed(() => list.value.links);
  const searchable = computed(() => links.value.map(makeSearchable));
  const found = computed(() =>
    query.value.trim() ? searchLinks(searchable.value, query.value) : links.value,
  );

  let wanted = 0;
  async function load(): Promise<void> {
    wanted += 1;
    const turn = wanted;
    const answer = await send('readLinks', {});
    // A later answer has come, or will.
    if (turn !== wanted) return;
    refusal.value = answer.ok ? undefined : answer;
    if (answer.ok) list.value = answer.data;
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
    if (answer.ok) removed.value = [...removed.value.filter((one) => one !== link), link];
    await load();
    if (!answer.ok) refusal.value = answer;
  }

  /** Puts the link back that was removed last. */
  async function undo(): Promise<void> {
    const last = removed.value.at(-1);
    if (!last) return;
    const answer = await send('addLinks', { links: [last] });
    if (answer.ok) removed.value = removed.value.filter((link) => link !== last);
    await load();
    if (!answer.ok) refusal.value = answer;
  }

  function forgetRemoved(): void {
    removed.value = [];
  }

  function showQr(link: ListedLink | undefined): void {
    shownQr.value = link;
  }

  return {
    list,
    refusal,
    query,
    copied,
    removed,
    shownQr,
    links,
    found,
    nowMs,
    load,
    search,
    copyLink,
    remove,
    undo,
    forgetRemoved,
    showQr,
  };
}
