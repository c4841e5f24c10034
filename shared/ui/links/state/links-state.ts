import { computed, effect, signal } from '@preact/signals';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import { aliasOf, hostOf } from '../../../links/link-address.ts';
import type { LinkFilter } from '../../../links/link-list.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { LinkStatus } from '../../../links/link-status.ts';
import type { ListQuery } from '../../../links/list-query.ts';
import type { TagCount } from '../../../links/tags.ts';
import type { ExportFormat } from '../../../links/transfer-formats.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import { lazyCode } from '../../lazy.ts';
import type { LinkSource } from '../link-source.ts';
import type { AllChangeSignals } from './change-all.ts';
import type { Changes, SelectedChange } from './changes.ts';
import { createLoading, type ListPlace } from './loading.ts';
import type { NewLinkField, NewLinkTools } from './new-link.ts';
import { createUndo } from './undo.ts';

/** Short enough that nobody reloads the page meanwhile. */
const RETRY_MS = 10_000;

type LinksTools = {
  source: LinkSource;
  /** @param format instead of the user's own choice @returns whether the link is in the clipboard */
  copy(link: LinkRecord, format?: 'markdown'): Promise<boolean>;
  /** Saves a file with links, or with all that match. @returns why it couldn't, or that some are missing */
  exportLinks(
    exported: LinkRecord[] | LinkFilter,
    format: ExportFormat,
  ): Promise<string | undefined>;
  /** Absent if no link can be created here. */
  newLink?:
    | (NewLinkTools & {
        /** The page with the form for a link with options, if there is one. */
        formUrl?: string | undefined;
      })
    | undefined;
  nowMs(): number;
  /** The page with the visits of a link, if there is one. */
  statisticsUrl?(link: LinkRecord): string;
  /** Below the title of an empty list. @default links_empty_account */
  emptyHint?: PlainKey;
};
export type LinksStart = {
  /** Search, filters and order. */
  query?: ListQuery;
  /** The link to edit, by its alias, or by its short URL if others may have the same alias. */
  editedAlias?: string | undefined;
  /** Where the list was scrolled to when the user left it. */
  place?: ListPlace | undefined;
};
export type LinksState = ReturnType<typeof createLinksState>;
export type NewLinkState = NonNullable<LinksState['newLink']>;

/** Creates the state and actions of a list of links. Its components only render them. */
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
  { query = {}, editedAlias = '', place }: LinksStart = {},
) {
  const loading = createLoading(source, query, place?.count);
  /** Why the latest change failed. */
  const failure = signal<string | undefined>(undefined);
  /** The short URL copied last, and whether that worked. */
  const copied = signal<{ shortUrl: string; isCopied: boolean } | undefined>(undefined);
  const areKeysShown = signal(false);
  /** The deleted link that is to be erased, once that is confirmed. */
  const purged = signal<LinkRecord | undefined>(undefined);
  const shownQr = signal<LinkRecord | undefined>(undefined);
  /** Key of the link whose row is to get the focus. */
  const wanted = signal<string | undefined>(undefined);
  const selectedKeys = signal<ReadonlySet<string>>(new Set());
  /** ID of the link that was selected last. */
  let anchor: string | undefined;
  /** Whether all links of the list are selected, also those that are not loaded. */
  const isAllSelected = signal(false);
  const isSelected = (link: LinkRecord) => isAllSelected.value || selectedKeys.value.has(link.id);
  /** The selected links, as far as they are still shown. */
  const selected = computed(() => loading.links.value.filter(isSelected));
  /** The statuses that links have, once all of them are known. */
  const statuses = signal<ReadonlySet<LinkStatus> | undefined>(undefined);
  /** A filter and a choice in the form, if there are several. */
  const domains = signal<DomainChoice[]>([]);
  /** The account's tags, once they were needed. */
  const tags = signal<TagCount[] | undefined>(undefined);
  /** Most visitors of a link on one day: the scale of all sparklines. */
  const busiestDay = computed(() =>
    Math.max(1, ...loading.links.value.flatMap(({ visits30 = [] }) => visits30)),
  );
  /** For suggestions. */
  const knownTags = computed(() => tags.value?.map(({ tag }) => tag) ?? []);

  const report = (text: string | undefined) => {
    failure.value = text;
  };
  const undo = createUndo(report);
  const tools = { source, loading, undo, report };
  const changes = lazyCode(async () => {
    const { createChanges } = await import('./changes.ts');
    return createChanges({
      ...tools,
      ...allChange,
      selected,
      isAllSelected,
      clearSelection,
      newLink: newLink && { ...newLink, field, copyLink },
    });
  });
  const field: NewLinkField = {
    text: signal(''),
    issue: signal(undefined),
    isBusy: signal(false),
    isSlow: signal(false),
  };
  const allChange: AllChangeSignals = { pending: signal(undefined), progress: signal(undefined) };
  /** The link in the form, whose code is loaded after the list. */
  const edited = signal<LinkRecord | undefined>(undefined);

  function filter(change: ListQuery, options?: { isTyping?: boolean }): void {
    // What is not in sight is not changed.
    clearSelection();
    loading.filter(change, options);
  }

  function select(links: LinkRecord[], isSelected: boolean): void {
    if (isSelected && loading.isOutdated.value) return;
    const keys = new Set(selected.value.map(({ id }) => id));
    isAllSelected.value = false;
    for (const link of links) {
      if (isSelected) keys.add(link.id);
      else keys.delete(link.id);
    }
    selectedKeys.value = keys;
    anchor = links.at(-1)?.id;
  }

  /** Selects all links from the one that was selected last to this one, as Shift does. */
  function selectTo(link: LinkRecord, isSelected: boolean): void {
    const shown = loading.links.value;
    const [from, to] = [anchor, link.id].map((id) => shown.findIndex((one) => one.id === id));
    const hasAnchor = from !== undefined && to !== undefined && from >= 0;
    const range = hasAnchor ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [];
    select([...range, link], isSelected);
  }

  function selectAll(): void {
    if (loading.isOutdated.value) return;
    selectedKeys.value = new Set(loading.links.value.map(({ id }) => id));
    isAllSelected.value = loading.hasMore.value;
  }

  function clearSelection(): void {
    selectedKeys.value = new Set();
    isAllSelected.value = false;
  }

  /** Changes links by code that is loaded after the list. */
  function change(act: (changes: Changes) => Promise<void>): Promise<void> {
    return changes.use(act, () => report(t('part_failed_text')));
  }

  const newLinkState = {
    ...field,
    change(text: string) {
      field.text.value = text;
      field.issue.value = undefined;
    },
    submit: () => change(async (changes) => changes.newLink?.submit()),
    copyOf: (link: LinkRecord) => change(async (changes) => changes.newLink?.copyOf(link)),
  };

  const changeSelected = (asked: SelectedChange) =>
    change((changes) => changes.changeSelected(asked));

  const removeSelected = () =>
    isAllSelected.value ? changeSelected({ isDeleted: true }) : remove(selected.value);

  /** A change of all links of the list, once it was asked for. */
  const allChanger = {
    ...allChange,
    confirm: () => change(({ all }) => all.confirm()),
    dismiss() {
      allChange.pending.value = undefined;
    },
    stop: () => changes.loaded.peek()?.all.stop(),
  };

  const setActive = (links: LinkRecord[], isActive: boolean) =>
    change((changes) => changes.setActive(links, isActive));

  /** Loads the code of changes ahead of the first one. A change tries again, and says that it failed. */
  const preload = () => changes.preload().catch(() => {});

  async function readTags(): Promise<void> {
    const outcome = await source.tags();
    if (outcome.ok) tags.value = outcome.data;
    else report(outcome.text);
  }

  /** @param asked whether it was copied, if the browser was asked before there was a link */
  async function copyLink(link: LinkRecord, asked?: Promise<boolean>): Promise<void> {
    await tellCopied(link, asked ?? copy(link));
  }

  async function copyMarkdown(link: LinkRecord): Promise<void> {
    await tellCopied(link, copy(link, 'markdown'));
  }

  async function tellCopied(link: LinkRecord, copying: Promise<boolean>): Promise<void> {
    // Reset first, so that a second click is visible and announced again.
    copied.value = undefined;
    const isCopied = await copying;
    copied.value = { shortUrl: link.shortUrl, isCopied };
  }

  async function remove(links: LinkRecord[]): Promise<void> {
    copied.value = undefined;
    select(links, false);
    await change((changes) => changes.remove(links));
  }

  async function saveFile(...exported: Parameters<typeof exportLinks>): Promise<void> {
    report(await exportLinks(...exported));
  }

  /** Moves the focus to a link, or to nothing in particular. */
  function want(key: string | undefined): void {
    wanted.value = key;
  }

  function edit(link: LinkRecord): void {
    edited.value = link;
  }

  function showQr(link: LinkRecord | undefined): void {
    shownQr.value = link;
  }

  /** Asks whether to erase a deleted link. */
  function requestPurge(link: LinkRecord | undefined): void {
    purged.value = link;
  }

  function showKeys(isShown: boolean): void {
    areKeysShown.value = isShown;
  }

  /** Where to scroll to once the list is there. */
  let wantedTop = place?.top;
  function takeTop(): number | undefined {
    const top = wantedTop;
    wantedTop = undefined;
    return top;
  }

  /** Opens the form of a link that is shown. @param name its alias, or its address */
  function editNamed(name: string): void {
    const wanted = name.toLowerCase();
    const named = loading.links.value.find((link) => namesOf(link).includes(wanted));
    if (named) edit(named);
  }

  /** Reads the list again and again while its server is away. @returns a function that stops it */
  function waitForServer(): () => void {
    return effect(() => {
      if (!loading.isAway.value && source.notices.value.length === 0) return;
      const timer = setInterval(() => {
        if (globalThis.document?.visibilityState !== 'hidden') void loading.refresh();
      }, RETRY_MS);
      return () => clearInterval(timer);
    });
  }

  return {
    areKeysShown,
    showKeys,
    newLink: newLink && newLinkState,
    newLinkFormUrl: newLink?.formUrl,
    loading,
    changeTools: tools,
    edited,
    edit,
    undo,
    notices: source.notices,
    failure,
    copied,
    shownQr,
    wanted,
    want,
    takeTop,
    editNamed,
    purged,
    selected,
    isSelected,
    isAllSelected,
    allChanger,
    tags,
    readTags,
    knownTags,
    busiestDay,
    domains,
    statuses,
    nowMs,
    statisticsUrl,
    emptyHint,
    filter,
    select,
    selectTo,
    selectAll,
    clearSelection,
    changeSelected,
    removeSelected,
    copyLink,
    copyMarkdown,
    remove,
    restore: (link: LinkRecord) => change(({ restore }) => restore(link)),
    requestPurge,
    purge: (link: LinkRecord) => change(({ purge }) => purge(link)),
    setActive,
    saveFile,
    showQr,
    preload,
    /** Reads the list, and again whenever it changes elsewhere. @returns a function that stops it */
    async start(): Promise<() => void> {
      const stops = [
        source.subscribe(() => void loading.refresh()),
        waitForServer(),
        effect(() => {
          const { links, hasMore, isFiltered, isLoading } = loading;
          const known = new Set(links.value.map(({ status }) => status));
          if (isLoading.value || isFiltered.value) return;
          statuses.value = hasMore.value ? undefined : known;
        }),
        effect(() => {
          const present = loading.links.value.filter(({ status }) => status !== 'deleted');
          undo.forget(new Set(present.map(({ id }) => id)));
        }),
      ];
      await loading.refresh();
      void preload();
      editNamed(editedAlias);
      // The list does not wait for it.
      void source.domains().then((known) => {
        domains.value = known;
      });
      return () => {
        for (const stop of stops) stop();
        // Nobody would see how far it has come, nor be able to stop or to undo it.
        allChanger.stop();
      };
    },
  };
}

/** What a page's address can name a link by, in lower case. */
function namesOf(link: LinkRecord): string[] {
  const aliases = [aliasOf(link), ...link.previousAliases];
  return aliases
    .flatMap((alias) => [alias, `${hostOf(link)}/${alias}`])
    .map((name) => name.toLowerCase());
}
