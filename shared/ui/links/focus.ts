export const SEARCH_FIELD = 'search';
export const NEW_LINK_FIELD = 'new-link';

/** Moves the focus to the search field, for when the focused control has disappeared. */
export function focusSearch(): void {
  document.getElementById(SEARCH_FIELD)?.focus({ preventScroll: true });
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
