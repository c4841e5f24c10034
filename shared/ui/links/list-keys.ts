import { areKeysOn, isComposing, latinKey } from '../keys.ts';
import { rowActions } from './actions.ts';
import { focusRow, focusSearch } from './focus.ts';
import { focusNewLink } from './in-sight.ts';
import type { LinksState } from './state/links-state.ts';

/** Handles page-wide keys, as `KeySheet` lists them. @param target where the key was pressed */
export function handleListKey(
  event: KeyboardEvent,
  state: LinksState,
  target: EventTarget | null,
): void {
  if (!(target instanceof HTMLElement) || target.closest('dialog') || isComposing(event)) return;
  const isField = target.matches('input:not([type=checkbox]), textarea, select');
  // In a form the keys are those of its fields, apart from the search field.
  if (isField && !target.matches('[type=search]')) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const hasModifier = isCommand || event.altKey;
  const key = latinKey(event);
  // In a search field with text, Ctrl+Z undoes typing.
  if (key === 'z' && isCommand && !event.shiftKey && !hasText(target)) void state.undo.undoLast();
  else if (hasModifier) return;
  else if (isField || !areKeysOn() || !pressSingleKey(key, target, state)) {
    if (event.shiftKey || !moveFocus(key, target)) return;
  }
  event.preventDefault();
}

/** A key that types a letter elsewhere. @returns whether it did something */
function pressSingleKey(key: string, from: HTMLElement, state: LinksState): boolean {
  switch (key) {
    case '/':
      focusSearch();
      return true;
    case '?':
      state.showKeys(true);
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
      return runRowAction(key, from, state);
  }
}

/** Does what the item of the row's menu with this key does. */
function runRowAction(key: string, from: HTMLElement, state: LinksState): boolean {
  const row = from.closest<HTMLElement>('.row');
  const link = state.loading.links.value[Number(row?.dataset.index)];
  const item = link && rowActions(link, state).find((one) => one.key === key);
  if (!item) return false;
  if ('href' in item && item.isElsewhere) window.open(item.href, '_blank', 'noreferrer');
  else if ('href' in item) return clickIn(from, 'statistics');
  else item.onSelect();
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
