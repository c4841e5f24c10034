import { isComposing } from '../is-composing.ts';
import { latinKey } from '../latin-key.ts';
import type { MenuItem } from '../MenuButton.tsx';
import { areKeysOn } from './keys/key-setting.ts';
import { focusNewLink } from './NewLinkBar.tsx';
import { focusRow } from './rows/focus-row.ts';
import { focusSearch } from './SearchBar.tsx';

export type ListKeyActions = {
  undo(): void;
  showKeys(): void;
  rowActions(index: number): MenuItem[];
};

/** Page-wide keys, as `KeySheet` lists them. */
export function handleListKey(event: KeyboardEvent, actions: ListKeyActions): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.closest('dialog') || isComposing(event)) return;
  const isField = target.matches('input:not([type=checkbox]), textarea, select');
  // In a form the keys are those of its fields, apart from the search field.
  if (isField && !target.matches('[type=search]')) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const hasModifier = isCommand || event.altKey;
  const key = latinKey(event);
  // In a search field with text, Ctrl+Z undoes typing.
  if (key === 'z' && isCommand && !event.shiftKey && !hasText(target)) actions.undo();
  else if (hasModifier) return;
  else if (isField || !areKeysOn() || !pressSingleKey(key, target, actions)) {
    if (event.shiftKey || !moveFocus(key, target)) return;
  }
  event.preventDefault();
}

/** A key that types a letter elsewhere. @returns whether it did something */
function pressSingleKey(key: string, from: HTMLElement, actions: ListKeyActions): boolean {
  switch (key) {
    case '/':
      focusSearch();
      return true;
    case '?':
      actions.showKeys();
      return true;
    case 'c':
      return focusNewLink();
    case 'j':
      return moveFocus('ArrowDown', from) || focusRow(0, 'open');
    case 'k':
      return moveFocus('ArrowUp', from);
    case 'x':
      return clickIn(from, 'select');
    case '.':
      return clickIn(from, 'menu');
    default:
      return runRowAction(key, from, actions);
  }
}

/** Does what the item of the row's menu with this key does. */
function runRowAction(key: string, from: HTMLElement, { rowActions }: ListKeyActions): boolean {
  const row = from.closest<HTMLElement>('.row');
  const item = row && rowActions(Number(row.dataset.index)).find((one) => one.key === key);
  if (!item) return false;
  if ('href' in item) return clickIn(from, 'statistics');
  item.onSelect();
  return true;
}

function clickIn(from: HTMLElement, control: string): boolean {
  const found = from.closest('.row')?.querySelector<HTMLElement>(`[data-control=${control}]`);
  found?.click();
  return Boolean(found);
}

function hasText(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && target.value !== '';
}

/** Moves to the same control in the next or previous row; from the search field to the first row and back. */
function moveFocus(key: string, from: HTMLElement): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
  const row = from.closest<HTMLElement>('.row');
  if (!row) return from.matches('[type=search]') && key === 'ArrowDown' && focusRow(0, 'open');
  const index = Number(row.dataset.index) + (key === 'ArrowDown' ? 1 : -1);
  if (index >= 0) return focusRow(index, from.dataset.control ?? '');
  focusSearch();
  return true;
}
