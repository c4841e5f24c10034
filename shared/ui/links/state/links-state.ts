import { computed, effect, signal } from '@preact/signals';
import { type PlainKey, t } from '../../../i18n/translate.ts';
import type { LinkFilter } from '../../../links/link-list.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import type { LinkStatus } from '../../../links/link-status.ts';
import type { LinkQuery } from '../../../links/list-query.ts';
import type { TagCount } from '../../../links/tags.ts';
import type { ExportFormat } from '../../../links/transfer-formats.ts';
import { every, systemTime, type Time } from '../../../time.ts';
import type { DomainChoice } from '../../DomainSelect.tsx';
import { lazyCode } from '../../lazy.ts';
import type { LinkSource } from '../link-source.ts';
import type { AllChangeSignals } from './change-all.ts';
import type { ListChanges, SelectedChange } from './changes.ts';
import { createLoading, type ListPlace } from './loading.ts';
import type { NewLinkField, NewLinkTools } from './new-link.ts';
import { createSelection } from './selection.ts';
import type { UndoSignals } from './undo.ts';

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
  /** @default the real one */
  time?: Time;
  /** The page with the visits of a link, if there is one. */
  statisticsUrl?(link: LinkRecord): string;
  /** Below the title of an empty list. @default links_empty_account */
  emptyHint?: PlainKey;
};
export type LinksStart = {
  /** Search, filters and order. */
  query?: LinkQuery;
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
    time = systemTime,
    statisticsUrl,
    emptyHint = 'links_empty_account',
  }: LinksTools,
  { query = {}, editedAlias = '', place }: LinksStart = {},
) {
  const loading = createLoading(source, query, time, place?.count);
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
  const selection = createSelection(loading);
  const { selected, isAllSelected, clearSelection } = selection;
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
  const undo: UndoSignals = { done: signal([]), running: signal(0) };
  const changes = lazyCode(async () => {
    const { createChanges } = await import('./changes.ts');
    return createChanges({
      ...{ source, loading, report, undo },
      ...allChange,
      edited,
      statuses,
      domains,
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

  function filter(change: LinkQuery, options?: { isTyping?: boolean }): void {
    // What is not in sight is not changed.
    clearSelection();
    loading.filter(change, options);
  }

  /** Changes links by code that is loaded after the list. */
  function change(act: (changes: ListChanges) => Promise<void>): Promise<void> {
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
    selection.select(links, false);
    await change((changes) => changes.remove(links));
  }

  async function saveFile(...exported: Parameters<typeof exportLinks>): Promise<void> {
    report(await exportLinks(...exported));
  }

  /** Where to scroll to once the list is there. */
  let wantedTop = place?.top;
  function takeTop(): number | undefined {
    const top = wantedTop;
    wantedTop = undefined;
    return top;
  }

  /** Opens the form of a link that is shown. @param name its alias, or its address */
  const editNamed = (name: string) => change(async (changes) => changes.editNamed(name));

  /** Reads the list again and again while its server is away. @returns a function that stops it */
  function waitForServer(): () => void {
    return effect(() => {
      if (!loading.isAway.value && source.notices.value.length === 0) return;
      return every(time, RETRY_MS, async () => {
        if (globalThis.document?.visibilityState !== 'hidden') await loading.refresh();
      });
    });
  }

  return {
    areKeysShown,
    newLink: newLink && newLinkState,
    newLinkFormUrl: newLink?.formUrl,
    loading,
    /** The code of changes, once it is loaded. */
    changes: changes.loaded,
    edited,
    undo: {
      ...undo,
      undoLast: () => change((changes) => changes.undoLast()),
      clear() {
        undo.done.value = [];
      },
    },
    notices: source.notices,
    failure,
    copied,
    shownQr,
    wanted,
    takeTop,
    editNamed,
    purged,
    showKeys(isShown: boolean) {
      areKeysShown.value = isShown;
    },
    showQr(link?: LinkRecord) {
      shownQr.value = link;
    },
    /** Asks whether to erase a link. */
    askToPurge(link?: LinkRecord) {
      purged.value = link;
    },
    /** @param id the link that gets the focus */
    want(id?: string) {
      wanted.value = id;
    },
    edit(link: LinkRecord) {
      edited.value = link;
    },
    ...selection,
    allChanger,
    tags,
    readTags,
    knownTags,
    busiestDay,
    domains,
    statuses,
    nowMs: time.now,
    statisticsUrl,
    emptyHint,
    filter,
    changeSelected,
    removeSelected,
    copyLink,
    copyMarkdown,
    remove,
    restore: (link: LinkRecord) => change(({ restore }) => restore(link)),
    purge: (link: LinkRecord) => change(({ purge }) => purge(link)),
    setActive,
    saveFile,
    preload,
    /** Reads the list, and again whenever it changes elsewhere. @returns a function that stops it */
    async start(): Promise<() => void> {
      const stops = [source.subscribe(() => void loading.refresh()), waitForServer()];
      await loading.refresh();
      // The list does not wait for it.
      const following = changes.use(
        ({ follow }) => follow(editedAlias),
        () => () => {},
      );
      return () => {
        for (const stop of stops) stop();
        void following.then((stop) => stop());
        // Nobody would see how far it has come, nor be able to stop or to undo it.
        allChanger.stop();
      };
    },
  };
}
