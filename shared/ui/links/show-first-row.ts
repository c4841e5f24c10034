/** Scrolls up to the first row if it is above the window, or behind the search, which stays in sight. */
export function showFirstRow(list: HTMLElement | null): void {
  const [search, rows] = ['.search', '.link-rows'].map((name) =>
    list?.querySelector(name)?.getBoundingClientRect(),
  );
  const hiddenPixels = Math.max(0, search?.bottom ?? 0) - (rows?.top ?? Number.POSITIVE_INFINITY);
  if (hiddenPixels > 0) scrollBy(0, -hiddenPixels);
}
