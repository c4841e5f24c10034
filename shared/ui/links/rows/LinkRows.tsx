import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { keyOf } from '../../../links/shown-link.ts';
import type { LinksState } from '../state/links-state.ts';
import { focusRow } from './focus-row.ts';
import { LinkRow } from './LinkRow.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

/** The next page is loaded when so few rows are left below. */
const ROWS_AHEAD = 30;

/**
 * Renders only the visible rows, each with its position: a list of thousands stays fast, and
 * assistive technology knows its length. The browser's find-in-page doesn't see the other rows; the
 * search field, which has the focus from the start, does.
 */
export function LinkRows({ state }: { state: LinksState }) {
  const { links: loaded, total, hasMore, loadMore, isLoading } = state.loading;
  const links = loaded.value;
  const list = useRef<HTMLOListElement>(null);
  /** Key of the focused row. It stays rendered when scrolled away, so that the focus isn't lost. */
  const focused = useSignal<string | undefined>(undefined);
  const pinned = state.wanted.value ?? focused.value;
  const pinnedIndex = pinned ? links.findIndex((link) => keyOf(link) === pinned) : -1;
  const rows = useVisibleRows(list, { count: links.length, pinned: pinnedIndex });
  useLayoutEffect(() => {
    if (state.wanted.value === undefined) return;
    state.want(undefined);
    focusRow(pinnedIndex, 'select');
  }, [state.wanted.value]);

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
            key={keyOf(link)}
            data-index={index}
            aria-setsize={setSize}
            aria-posinset={index + 1}
            style={{ '--row': index }}
            onFocusIn={() => {
              focused.value = keyOf(link);
            }}
          >
            <LinkRow link={link} state={state} />
          </li>
        );
      })}
    </ol>
  );
}
