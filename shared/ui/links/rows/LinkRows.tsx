import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatDay } from '../../../i18n/format-time.ts';
import { t } from '../../../i18n/translate.ts';
import { keyOf, type ShownLink } from '../../../links/shown-link.ts';
import type { LinksState } from '../state/links-state.ts';
import { LinkRow } from './LinkRow.tsx';
import { useVirtualRows } from './use-virtual-rows.ts';

/** The next page is loaded when so few rows are left below. */
const ROWS_AHEAD = 30;

/**
 * Renders only the visible rows, each with its position: a list of thousands stays fast, and
 * assistive technology knows its length. The browser's find-in-page doesn't see the other rows; the
 * search field, which has the focus from the start, does.
 */
export function LinkRows({ state }: { state: LinksState }) {
  const { links: loaded, total, hasMore, loadMore, sort, isLoading } = state.loading;
  const { edited } = state.editing;
  const links = loaded.value;
  const list = useRef<HTMLOListElement>(null);
  /** Key of the focused row. It stays rendered when scrolled away, so that the focus isn't lost. */
  const focused = useSignal<string | undefined>(undefined);
  const { rows, heightPixels, measure } = useVirtualRows(list, {
    keys: useMemo(() => links.map(keyOf), [links]),
    // So does the row with the form: what is half typed there stays.
    pinnedKey: focused.value ?? (edited.value && keyOf(edited.value)),
  });

  const last = rows.at(-1)?.index ?? 0;
  const known = total.value?.isExact ? total.value.count : -1;
  const setSize = hasMore.value ? known : links.length;
  const isNearEnd = last >= links.length - ROWS_AHEAD;
  // By the number of links, too: the next page may be short.
  useEffect(() => {
    if (isNearEnd && hasMore.value) void loadMore();
  }, [isNearEnd, links.length, hasMore.value]);

  return (
    <ol
      class="link-rows"
      ref={list}
      aria-label={t('links_title')}
      // These are still the rows of the search before.
      aria-busy={isLoading.value}
      style={{ blockSize: `${heightPixels}px` }}
      onFocusOut={({ relatedTarget }) => {
        // Otherwise the row that gets the focus would be removed before it has it.
        if (!list.current?.contains(relatedTarget as Node | null)) focused.value = undefined;
      }}
    >
      {rows.map(({ index, start }) => {
        const link = links[index];
        if (!link) return null;
        return (
          <li
            class="row"
            key={keyOf(link)}
            ref={measure}
            data-index={index}
            aria-setsize={setSize}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
            onFocusIn={() => {
              focused.value = keyOf(link);
            }}
          >
            {sort.value === 'created' && isNewDay(link, links[index - 1]) && (
              <p class="day">{formatDay(link.created)}</p>
            )}
            <LinkRow link={link} state={state} />
          </li>
        );
      })}
    </ol>
  );
}

function isNewDay(link: ShownLink, before: ShownLink | undefined): boolean {
  return (
    !before || new Date(link.created).toDateString() !== new Date(before.created).toDateString()
  );
}
