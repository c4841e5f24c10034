import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

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
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  { count, pinned }: { count: number; pinned: number },
): number[] {
  const first = useSignal(0);
  const end = useSignal(FIRST_ROWS);
  useLayoutEffect(() => {
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
    return () => {
      observer.disconnect();
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
