import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Announcement } from '../Announcement.tsx';
import { lazy } from '../lazy.ts';
import { listTools } from './list-tools.ts';
import { NewLinkBar } from './NewLinkBar.tsx';
import { LinkRows } from './rows/LinkRows.tsx';
import { SearchBar } from './SearchBar.tsx';
import type { LinksState } from './state/links-state.ts';

const ListTools = lazy(async () => (await listTools.preload()).ListTools);
const EmptyList = lazy(async () => (await listTools.preload()).EmptyList);

type LinkListProps = {
  state: LinksState;
  /** Whether links are about to be added, so that an empty list is not the end of it. */
  isFilling?: boolean;
};

/** Renders the list of links with everything that can be done with it, in the dashboard and the extension. */
export function LinkList({ state, isFilling = false }: LinkListProps) {
  const { loading } = state;
  const copied = state.copied.value;
  const failure = state.failure.value ?? loading.failure.value;
  /** What no row needs is loaded after the first ones. */
  const wasRead = useRef(false);
  wasRead.current ||= !loading.isLoading.value;
  // Not after the next frame: keys work as soon as the list is there.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const loaded = listTools.loaded.peek();
      if (loaded) return loaded.handleListKey(event, state, event.target);
      if (!mayBeListKey(event)) return;
      // Later would be too late: Firefox opens its search with a slash.
      event.preventDefault();
      void listTools.use(
        // The keys before it may have moved the focus.
        ({ handleListKey }) => handleListKey(event, state, document.activeElement),
        () => {},
      );
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [state]);
  const list = useRef<HTMLDivElement>(null);
  const results = loading.results.value;
  useLayoutEffect(() => listTools.loaded.peek()?.showFirstRow(list.current), [results]);
  const hasLinks = loading.links.value.length > 0;
  const isEmpty = !hasLinks && !loading.isLoading.value && !isFilling && !failure;

  const isFirst = isEmpty && !loading.isFiltered.value;

  return (
    <div class="link-list" ref={list}>
      <div role="alert" class="error-message">
        {failure}
        {copied && !copied.isCopied && t('link_not_copied')}
      </div>
      {loading.failure.value && (
        <button type="button" class="button" onClick={() => void loading.refresh()}>
          {t('try_again')}
        </button>
      )}
      <p class="visually-hidden" role="status">
        {copied?.isCopied && t('short_link_copied')}
      </p>
      <div class="list-notices" role="status">
        {state.notices.value.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {state.newLink && (
        <NewLinkBar state={state.newLink} formUrl={state.newLinkFormUrl} isFirst={isFirst} />
      )}
      <SearchBar state={state} />
      <Announcement
        number={results}
        text={!loading.isLoading.value && !failure && listTools.loaded.value?.resultText(state)}
      />
      {hasLinks && <LinkRows state={state} />}
      {!hasLinks && loading.isLoading.value && <div class="list-skeleton" aria-hidden="true" />}
      {isEmpty && <EmptyList state={state} />}
      {wasRead.current && <ListTools state={state} />}
    </div>
  );
}

/** Whether a key that is pressed before `handleListKey` is loaded waits for it: one that does nothing else there. */
function mayBeListKey({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const from = target as Element;
  if (from.matches('[type=search]')) return key === 'ArrowDown';
  const isOther =
    ctrlKey || metaKey || altKey || from.closest('input:not(.select), textarea, select, dialog');
  return !isOther && /^(\S|ArrowDown|ArrowUp)$/.test(key);
}
