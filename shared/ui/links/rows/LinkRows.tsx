import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { focusRow } from '../focus.ts';
import type { LinksState } from '../state/links-state.ts';
import { LinkRow } from './LinkRow.tsx';

/** The next page is loaded when so few rows are left below. */
const ROWS_AHEAD = 30;

/**
 * Renders only the visible rows, each with its position: a list of thousands stays fast, and
 * assistive technology knows its length. The browser's find-in-page doesn't see the other rows; the
 * search field, which has the focus from the start, does. On paper, all loaded rows are there.
 */
export function LinkRows({ state }: { state: LinksState }) {
  const { links: loaded, total, hasMore, loadMore, isLoading } = state.loading;
  const links = loaded.value;
  const list = useRef<HTMLOListElement>(null);
  /** Key of the focused row. It stays rendered when scrolled away, so that the focus isn't lost. */
  const focused = useSignal<string | undefined>(undefined);
  const pinned = state.wanted.value ?? focused.value;
  const pinnedIndex = pinned ? links.findIndex((link) => link.id === pinned) : -1;
  const rows = useVisibleRows(list, { count: links.length, pinned: pinnedIndex });
  useLayoutEffect(() => {
    if (state.wanted.value === undefined) return;
    state.want();
    focusRow(pinnedIndex, 'select');
  }, [state.wanted.value]);

  useLayoutEffect(() => {
    const top = state.takeTop();
    if (top !== undefined) scrollTo(0, top);
  }, []);

  const known = total.value?.isExact ? total.value.count : -1;
  const setSize = hasMore.value ? known : links.length;
  const isNearEnd = (rows.at(-1) ?? 0) >= links.length - ROWS_AHEAD;
  // With each list that was read, too: the next page may be short, or have failed before.
  useEffect(() => {
    if (isNearEnd && hasMore.value) void loadMore();
  }, [isNearEnd, links, hasMore.value]);

  return (
    <ol
      class="link-rows"
      ref={list}
      aria-label={t('links_title')}
      // These are still the rows of the search before.
      aria-busy={isLoading.value}
      style={{ '--rows': links.length }}
      onFocusOut={({ relatedTarget }) => {
        // Otherwise the row that gets the focus would be removed before it has it.
        if (!list.current?.contains(relatedTarget as Node | null)) focused.value = undefined;
      }}
    >
      {rows.map((index) => {
        const link = links[index];
        if (!link) return null;
        return (
          <li
            class="row"
            key={link.id}
            data-index={index}
            aria-setsize={setSize}
            aria-posinset={index + 1}
            style={{ '--row': index }}
            onFocusIn={() => {
              focused.value = link.id;
            }}
          >
            <LinkRow link={link} state={state} />
          </li>
        );
      })}
    </ol>
  );
}

/** Rows rendered before and after the visible ones, for scrolling and Tab. */
const OVERSCAN_ROWS = 6;
/** Before the list is laid out: about what a window shows. */
const FIRST_ROWS = 12;

/**
 * Indices of the rows of a long list that are near the visible part of the page. All rows have the same
 * height: that of the list, divided by their number.
 *
 * @param pinned index of a row that is rendered with its neighbors even when it isn't visible: Tab must
 * find the next one, however late the list follows
 */
function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  { count, pinned }: { count: number; pinned: number },
): number[] {
  const first = useSignal(0);
  const end = useSignal(FIRST_ROWS);
  useLayoutEffect(() => {
    const showAll = () => {
      first.value = 0;
      end.value = Number.POSITIVE_INFINITY;
    };
    const update = () => {
      if (!list.current) return;
      const { top, height } = list.current.getBoundingClientRect();
      const rowPixels = height / count;
      first.value = Math.floor(-top / rowPixels) - OVERSCAN_ROWS;
      end.value = Math.ceil((innerHeight - top) / rowPixels) + OVERSCAN_ROWS;
    };
    update();
    // Content above the list, and the height of a row, change that of the page.
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    // Paper has no window to scroll.
    addEventListener('beforeprint', showAll);
    addEventListener('afterprint', update);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', showAll);
      removeEventListener('afterprint', update);
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [list, count]);

  const indices = new Set<number>();
  const from = Math.max(0, Math.min(first.value, count - FIRST_ROWS));
  for (let index = from; index < Math.min(end.value, count); index++) indices.add(index);
  for (let index = pinned - 1; pinned >= 0 && index <= pinned + 1; index++) {
    if (index >= 0 && index < count) indices.add(index);
  }
  return [...indices].sort((one, other) => one - other);
}
