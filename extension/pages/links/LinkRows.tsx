import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatDay } from '../../i18n/format-time.ts';
import { t } from '../../i18n/translate.ts';
import type { ListedLink } from '../../links/link.ts';
import { LinkRow } from './LinkRow.tsx';
import type { LinksState } from './links-state.ts';
import { useRowsInSight } from './use-virtual-rows.ts';

/**
 * Only the rows in sight are in the page, each with its place among all: a list of thousands stays
 * quick, and assistive technology is told how long it is. The browser's own search of the page
 * cannot see the others; the field above, which has the focus from the start, does.
 */
export function LinkRows({ state }: { state: LinksState }) {
  const links = state.found.value;
  const list = useRef<HTMLOListElement>(null);
  /** Stays in the page, wherever one scrolls: the focus would be lost with it. */
  const focused = useSignal<string | undefined>(undefined);
  const { rows, heightPixels, measure } = useRowsInSight(list, {
    keys: links.map(({ shortUrl }) => shortUrl),
    savedKey: focused.value,
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
