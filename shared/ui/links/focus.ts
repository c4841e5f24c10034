export const SEARCH_FIELD = 'search';
export const NEW_LINK_FIELD = 'new-link';

/** Moves the focus to the search field, for when the focused control has disappeared. */
export function focusSearch(): void {
  document.getElementById(SEARCH_FIELD)?.focus({ preventScroll: true });
}

/** @returns whether there is such a field */
export function focusNewLink(): boolean {
  const field = document.getElementById(NEW_LINK_FIELD);
  field?.focus();
  return field !== null;
}

/** @param control name of the control in the row; not every row has the same ones */
export function focusRow(index: number, control: string): boolean {
  const row = document.querySelector<HTMLElement>(`.row[data-index="${index}"]`);
  const controls = [...(row?.querySelectorAll<HTMLElement>('[data-control]') ?? [])];
  const find = (name: string) => controls.find((one) => one.dataset.control === name);
  const found = find(control) ?? find('open') ?? find('select');
  found?.focus();
  return Boolean(found);
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
