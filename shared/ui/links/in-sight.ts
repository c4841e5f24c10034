import { focusRow, focusSearch, NEW_LINK_FIELD } from './focus.ts';

/** @returns whether there is such a field */
export function focusNewLink(): boolean {
  const field = document.getElementById(NEW_LINK_FIELD);
  field?.focus();
  return field !== null;
}

/**
 * Moves the focus to a row that can be seen, or to the search field if there is none.
 *
 * @param preferred selector of an element in rows that come first
 */
export function focusRowInSight(preferred?: string): void {
  const top = document.querySelector('.search')?.getBoundingClientRect().bottom ?? 0;
  const end = document.querySelector('.list-bars')?.getBoundingClientRect().top ?? innerHeight;
  const rows = [...document.querySelectorAll<HTMLElement>('.row')].filter((row) => {
    const rect = row.getBoundingClientRect();
    return rect.bottom > top && rect.top < end;
  });
  const row = rows.find((one) => preferred && one.querySelector(preferred)) ?? rows[0];
  if (!row || !focusRow(Number(row.dataset.index), 'select')) focusSearch();
}

/** Scrolls up to the first row if it is above the window, or behind the search, which stays in sight. */
export function showFirstRow(list: HTMLElement | null): void {
  const [search, rows] = ['.search', '.link-rows'].map((name) =>
    list?.querySelector(name)?.getBoundingClientRect(),
  );
  const hiddenPixels = Math.max(0, search?.bottom ?? 0) - (rows?.top ?? Number.POSITIVE_INFINITY);
  if (hiddenPixels > 0) scrollBy(0, -hiddenPixels);
}
