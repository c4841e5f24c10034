import {
  defaultRangeExtractor,
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

/** Estimated height of a row until a lower one is measured. */
const MAX_ROW_PIXELS = 96;
/** Rows rendered before and after the visible ones, for scrolling and Tab. */
const OVERSCAN_ROWS = 6;

export type VirtualRows = {
  rows: { index: number; start: number }[];
  /** Height of the whole list. */
  heightPixels: number;
  /** The `ref` of each row. The row needs its index as `data-index`. */
  measure: (row: HTMLLIElement | null) => void;
};

/**
 * The rows of a long list that are visible at the current scroll position.
 *
 * @param keys keys of all rows, in order; the same array as long as they don't change
 * @param pinnedKey key of a row that is rendered with its neighbors even when it isn't visible: Tab must
 * find the next one, however late the list follows
 */
export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  { keys, pinnedKey }: { keys: string[]; pinnedKey: string | undefined },
): VirtualRows {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const listTop = useListTop(list);
  /** Most rows have the lowest height. An exact estimate saves the work to move the rows below. */
  const lowestPixels = useRef(MAX_ROW_PIXELS);
  const pinnedIndex = pinnedKey === undefined ? -1 : keys.indexOf(pinnedKey);

  // The same function for the same keys, or the positions of all rows are computed again each time.
  const getItemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  const options = {
    count: keys.length,
    getItemKey,
    getScrollElement: () => window,
    estimateSize: () => lowestPixels.current,
    measureElement: (...measured: Parameters<typeof measureElement<HTMLLIElement>>) => {
      const pixels = measureElement(...measured);
      lowestPixels.current = Math.min(lowestPixels.current, pixels);
      return pixels;
    },
    overscan: OVERSCAN_ROWS,
    scrollMargin: listTop,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const visible = defaultRangeExtractor(range);
      if (pinnedIndex < 0) return visible;
      const hidden = [pinnedIndex - 1, pinnedIndex, pinnedIndex + 1].filter(
        (index) => index >= 0 && index < range.count && !visible.includes(index),
      );
      return [...visible, ...hidden].sort((one, other) => one - other);
    },
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLLIElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());

  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({
      index,
      start: start - listTop,
    })),
    heightPixels: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
  };
}

/** Distance of the list from the top of the page. */
function useListTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setTop(list.current.getBoundingClientRect().top + scrollY);
    };
    measure();
    // Content above the list can change its height. The observer runs when the layout is known:
    // reading it at any other time would compute it once more.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
