import { computed, signal } from '@preact/signals';
import { aliasOf, hostOf, keyOf, type ShownLink } from '../../../links/shown-link.ts';
import type { TagCount } from '../../../links/tags.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import type { LinkQuery, LinkSource } from '../link-source.ts';
import { createAllChanger } from './change-all.ts';
import { createLinkChanger } from './change-links.ts';
import { createEditState } from './edit-state.ts';
import { createLoading } from './loading.ts';
import { createNewLink, type NewLinkTools } from './new-link.ts';
import { createUndo } from './undo.ts';

export type LinksTools = {
  source: LinkSource;
  /** @returns whether the link is in the clipboard */
  copy(link: ShownLink): Promise<boolean>;
  /** Saves a file with the links. @returns why it couldn't */
  exportLinks(links: ShownLink[], format: 'json' | 'csv'): Promise<string | undefined>;
  /** Absent if no link can be created here. */
  newLink?:
    | {
        create: NewLinkTools['create'];
        copyLater?: NewLinkTools['copyLater'];
        /** The page with the form for a link with options, if there is one. */
        formUrl?: string | undefined;
      }
    | undefined;
  nowMs(): number;
  /** The page with the visits of a link, if there is one. */
  statisticsUrl?(link: ShownLink): string;
  /** Below the title of an empty list. @default links_empty_account */
  emptyHint?: 'links_empty_hint' | 'links_empty_account';
};
export type LinksStart = {
  /** Words to search for, unless a link is to be edited. */
  initialQuery?: string;
  /** Of a link to search for and to edit: its alias, or its address if others may have the same alias. */
  editedAlias?: string | undefined;
};
export type LinksState = ReturnType<typeof createLinksState>;

/** The state and actions of a list of links. Its components only render them. */
export function createLinksState(
  {
    source,
    copy,
    exportLinks,
    newLink,
    nowMs,
    statisticsUrl,
    emptyHint = 'links_empty_account',
  }: LinksTools,
  { initialQuery = '', editedAlias = '' }: LinksStart = {},
) {
  // Servers search in the alias: the host of their own domain is no part of it.
  const loading = createLoading(source, editedAlias.split('/').at(-1) || initialQuery);
  /** Why the latest change failed. */
  const failure = signal<string | undefined>(undefined);
  /** The short URL copied last, and whether that worked. */
  const copied = signal<{ shortUrl: string; isCopied: boolean } | undefined>(undefined);
  const areKeysShown = signal(false);
  /** The deleted link that is to be erased, once that is confirmed. */
  const purged = signal<ShownLink | undefined>(undefined);
  const shownQr = signal<ShownLink | undefined>(undefined);
  /** Key of the link whose row is to get the focus. */
  const wanted = signal<string | undefined>(undefined);
  const selectedKeys = signal<ReadonlySet<string>>(new Set());
  /** Whether all links of the list are selected, also those that are not loaded. */
  const isAllSelected = signal(false);
  const isSelected = (link: ShownLink) =>
    isAllSelected.value || selectedKeys.value.has(keyOf(link));
  /** The selected links, as far as they are still shown. */
  const selected = computed(() => loading.links.value.filter(isSelected));
  /** A filter and a choice in the form, if there are several. */
  const domains = signal<DomainChoice[]>([]);
  /** The account's tags, once they were needed. */
  const tags = signal<TagCount[] | undefined>(undefined);
  /** For suggestions. */
  const knownTags = computed(() => tags.value?.map(({ tag }) => tag) ?? []);

  const report = (text: string | undefined) => {
    failure.value = text;
  };
  const undo = createUndo(report);
  const tools = { source, loading, undo, report };
  const changer = createLinkChanger(tools);
  const allChanger = createAllChanger({ ...tools, clearSelection });
  const editing = createEditState(tools);

  function filter(change: Partial<LinkQuery>, options?: { isTyping?: boolean }): void {
    // What is not in sight is not changed.
    clearSelection();
    loading.filter(change, options);
  }

  function select(links: ShownLink[], isSelected: boolean): void {
    if (isSelected && loading.isOutdated.value) return;
    const keys = new Set(selected.value.map(keyOf));
    isAllSelected.value = false;
    for (const link of links) {
      if (isSelected) keys.add(keyOf(link));
      else keys.delete(keyOf(link));
    }
    selectedKeys.value = keys;
  }

  function selectAll(): void {
    if (loading.isOutdated.value) return;
    selectedKeys.value = new Set(loading.links.value.map(keyOf));
    isAllSelected.value = loading.hasMore.value;
  }

  function clearSelection(): void {
    selectedKeys.value = new Set();
    isAllSelected.value = false;
  }

  /** Pauses or resumes the selected links: at once, or after a question if not all of them are loaded. */
  function activateSelected(isActive: boolean): Promise<void> {
    if (!isAllSelected.value) return changer.setActive(selected.value, isActive);
    return allChanger.request({
      change: { isActive },
      opposite: { isActive: !isActive },
      label: isActive ? 'link_resume' : 'link_pause',
      doneText: isActive ? 'bulk_resumed' : 'bulk_paused',
    });
  }

  function tagSelected(tag: string): Promise<void> {
    if (!isAllSelected.value) return changer.addTag(selected.value, tag);
    return allChanger.request({
      change: { addTags: [tag] },
      opposite: { removeTags: [tag] },
      label: 'tag_add',
      doneText: 'bulk_tagged',
    });
  }

  function removeSelected(): Promise<void> {
    if (!isAllSelected.value) return remove(selected.value);
    return allChanger.request({
      change: { isDeleted: true },
      opposite: { isDeleted: false },
      label: 'link_delete',
      doneText: 'bulk_deleted',
    });
  }

  async function readTags(): Promise<void> {
    const outcome = await source.tags();
    if (outcome.ok) tags.value = outcome.data;
    else report(outcome.text);
  }

  /** @param asked whether it was copied, if the browser was asked before there was a link */
  async function copyLink(link: ShownLink, asked?: Promise<boolean>): Promise<void> {
    // Reset first, so that a second click is visible and announced again.
    copied.value = undefined;
    const isCopied = await (asked ?? copy(link));
    copied.value = { shortUrl: link.shortUrl, isCopied };
  }

  async function remove(links: ShownLink[]): Promise<void> {
    copied.value = undefined;
    select(links, false);
    await changer.remove(links);
  }

  async function saveFile(links: ShownLink[], format: 'json' | 'csv'): Promise<void> {
    report(await exportLinks(links, format));
  }

  /** Moves the focus to a link, or to nothing in particular. */
  function want(key: string | undefined): void {
    wanted.value = key;
  }

  function showQr(link: ShownLink | undefined): void {
    shownQr.value = link;
  }

  /** Asks whether to erase a deleted link. */
  function requestPurge(link: ShownLink | undefined): void {
    purged.value = link;
  }

  function showKeys(isShown: boolean): void {
    areKeysShown.value = isShown;
  }

  return {
    areKeysShown,
    showKeys,
    newLink: newLink && createNewLink({ ...tools, ...newLink, copy: copyLink }),
    newLinkFormUrl: newLink?.formUrl,
    loading,
    editing,
    undo,
    notices: source.notices,
    failure,
    copied,
    shownQr,
    wanted,
    want,
    purged,
    selected,
    isSelected,
    isAllSelected,
    allChanger,
    tags,
    readTags,
    knownTags,
    domains,
    nowMs,
    statisticsUrl,
    emptyHint,
    filter,
    select,
    selectAll,
    clearSelection,
    activateSelected,
    tagSelected,
    removeSelected,
    copyLink,
    remove,
    restore: changer.restore,
    requestPurge,
    purge: changer.purge,
    setActive: changer.setActive,
    saveFile,
    showQr,
    /** Reads the list, and again whenever it changes elsewhere. @returns a function that stops it */
    async start(): Promise<() => void> {
      const stop = source.subscribe(() => void loading.refresh());
      await loading.refresh();
      const wanted = editedAlias.toLowerCase();
      const edited = loading.links.value.find((link) => namesOf(link).includes(wanted));
      if (edited) editing.open(edited);
      // The list does not wait for it.
      void source.domains().then((known) => {
        domains.value = known;
      });
      return () => {
        stop();
        // Nobody would see how far it has come, nor be able to stop or to undo it.
        allChanger.stop();
      };
    },
  };
}

/** What a page's address can name a link by, in lower case. */
function namesOf(link: ShownLink): string[] {
  const aliases = [aliasOf(link), ...(link.serverState?.previousAliases ?? [])];
  return aliases
    .flatMap((alias) => [alias, `${hostOf(link)}/${alias}`])
    .map((name) => name.toLowerCase());
}
