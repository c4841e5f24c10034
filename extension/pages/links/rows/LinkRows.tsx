import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ListedLink } from '../../../links/link.ts';
import type { LinksState } from '../links-state.ts';
import { LinkRow } from './LinkRow.tsx';
import { useVirtualRows } from './use-virtual-rows.ts';

/**
 * Renders only the visible rows, each with its position: a list of thousands stays fast, and
 * assistive technology knows its length. The browser's find-in-page doesn't see the other rows; the
 * search field, which has the focus from the start, does.
 */
export function LinkRows({ state }: { state: LinksState }) {
  const links = state.found.value;
  const list = useRef<HTMLOListElement>(null);
  /** Key of the focused row. It stays rendered when scrolled away, so that the focus isn't lost. */
  const focused = useSignal<string | undefined>(undefined);
  const { rows, heightPixels, measure } = useVirtualRows(list, {
    keys: links.map(({ shortUrl }) => shortUrl),
    pinnedKey: focused.value,
  });

  return (
    <ol
      class="rows"
      ref={list}
      aria-label={t('links_title')}
      style={{ blockSize: `${heightPixels}px` }}
      onFocusOut={() => {
        focused.value = undefined;
      }}
    >
      {rows.map(({ index, start }) => {
        const link = links[index];
        if (!link) return null;
        return (
          <li
            class="row"
            key={link.shortUrl}
            ref={measure}
            data-index={index}
            aria-setsize={links.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
            onFocusIn={() => {
              focused.value = link.shortUrl;
            }}
          >
            {isNewDay(link, links[index - 1]) && <p class="day">{formatDay(link.created)}</p>}
            <LinkRow link={link} state={state} />
          </li>
        );
      })}
    </ol>
  );
}

function isNewDay(link: ListedLink, before: ListedLink | undefined): boolean {
  return (
    !before || new Date(link.created).toDateString() !== new Date(before.created).toDateString()
  );
}
