import { focusSearch } from './SearchBar.tsx';

/** Page-wide keys: `/` searches, the arrow keys move between rows, Ctrl+Z undoes a removal. */
export function handleListKey(event: KeyboardEvent, undo: () => void): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.closest('dialog')) return;
  const isField = target.matches('input');
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.key === '/' && !isField && !isCommand && !event.altKey) focusSearch();
  // In a search field with text, Ctrl+Z undoes typing.
  else if (event.key === 'z' && isCommand && !event.shiftKey && !hasText(target)) undo();
  else if (isCommand || event.altKey || event.shiftKey || !moveFocus(event.key, target)) return;
  event.preventDefault();
}

function hasText(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && target.value !== '';
}

/** Moves to the same control in the next or previous row; from the search field to the first row and back. */
function moveFocus(key: string, from: HTMLElement): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
  const row = from.closest<HTMLElement>('.row');
  if (!row) return from.matches('[type=search]') && key === 'ArrowDown' && focusRow(0, 0);
  const index = Number(row.dataset.index) + (key === 'ArrowDown' ? 1 : -1);
  if (index >= 0) return focusRow(index, controlsOf(row).indexOf(from));
  focusSearch();
  return true;
}

function focusRow(index: number, control: number): boolean {
  const row = document.querySelector<HTMLElement>(`.row[data-index="${index}"]`);
  const found = row && (controlsOf(row)[control] ?? controlsOf(row)[0]);
  found?.focus();
  return Boolean(found);
}

function controlsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('a, button')];
}
