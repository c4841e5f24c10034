import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Until a row has been measured. */
const ROW_PIXELS = 96;
/** Rows before and behind those in sight, for the next turn of the wheel or press of Tab. */
const ROWS_AHEAD = 6;

export type RowsInSight = {
  rows: { index: number; start: number }[];
  /** Of the whole list. */
  heightPixels: number;
  /** To be the `ref` of each row, which has its index as `data-index`. */
  measure: (row: HTMLLIElement | null) => void;
};

/**
 * The rows of a list that the window shows as it is scrolled.
 *
 * @param keys of all rows, in order
 * @param keptKey of a row that stays, in sight or not
 */
export function useRowsInSight(
  list: RefObject<HTMLElement | null>,
  { keys, savedKey }: { keys: string[]; savedKey: string | undefined },
): RowsInSight {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [listTop, setListTop] = useState(0);
  const savedIndex = savedKey === undefined ? -1 : keys.indexOf(savedKey);

  const options = {
    count: keys.length,
    getItemKey: (index: number) => keys[index] ?? index,
    getScrollElement: () => window,
    estimateSize: () => ROW_PIXELS,
    overscan: ROWS_AHEAD,
    scrollMargin: listTop,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const inSight = defaultRangeExtractor(range);
      const isKept = savedIndex >= 0 && !inSight.includes(savedIndex);
      return isKept ? [...inSight, savedIndex].sort((one, other) => one - other) : inSight;
    },
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLLIElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  // What stands above the list may grow or go.
  useLayoutEffect(() => {
    const top = list.current ? list.current.getBoundingClientRect().top + scrollY : 0;
    setListTop(top);
  });

  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({
      index,
      start: start - listTop,
    })),
    heightPixels: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
  };
}
