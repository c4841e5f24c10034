import { focusSearch } from '../SearchBar.tsx';

/** @param control name of the control in the row; not every row has the same ones */
export function focusRow(index: number, control: string): boolean {
  const row = document.querySelector<HTMLElement>(`.row[data-index="${index}"]`);
  const controls = [...(row?.querySelectorAll<HTMLElement>('[data-control]') ?? [])];
  const find = (name: string) => controls.find((one) => one.dataset.control === name);
  const found = find(control) ?? find('open');
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
