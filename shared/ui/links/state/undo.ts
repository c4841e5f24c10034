import type { Signal } from '@preact/signals';
import type { Explained } from '../../../client.ts';

/** A change that was made, as the bar at the bottom shows it. */
export type Done = {
  text: string;
  /** The short URL of the link, if it was one. */
  shortUrl?: string | undefined;
  /** Key of a link that is in the list again, or as it was, once this is undone. */
  key?: string | undefined;
  /** IDs of the links that were deleted. */
  deleted?: string[] | undefined;
  /** Whether the link was just created, for others to use. @default false */
  isNew?: boolean;
  /** Whether the clicked button is gone with its row. @default false */
  takesFocus?: boolean;
  /** Absent if the change can't be undone. @returns why it couldn't be undone */
  undo?: (() => Promise<Explained | undefined>) | undefined;
};

/** Failures that another attempt would not change. */
const FINAL = new Set([
  'version_mismatch',
  'not_found',
  'link_gone',
  'alias_taken',
  'too_many_aliases',
  'too_many_tags',
  'invalid_request',
  'invalid_url',
  'blocked_url',
  'expires_in_past',
]);

export type UndoSignals = {
  /** What can be undone since the page was opened, most recent last. */
  done: Signal<Done[]>;
  /** How many changes are under way: what is undone meanwhile could be an earlier one. */
  running: Signal<number>;
};

export type UndoState = ReturnType<typeof createUndo>;

/** Remembers what can be undone, and undoes it. */
export function createUndo(
  { done, running }: UndoSignals,
  onFailure: (text: string | undefined) => void,
) {
  let isUndoing = false;

  function push(change: Done): void {
    // A change that can't be undone is shown once, and keeps no earlier one from being undone.
    done.value = [...done.value.filter(({ undo }) => undo), change];
  }

  /** Undoes the latest change. One that can never be undone any more keeps no earlier one from it. */
  async function undoLast(): Promise<void> {
    const last = done.value.at(-1);
    if (!last || isUndoing || running.value > 0) return;
    isUndoing = true;
    const failure = await last.undo?.();
    isUndoing = false;
    onFailure(failure?.text);
    if (failure && !FINAL.has(failure.code)) return;
    done.value = done.value.filter((one) => one !== last);
  }

  /** Forgets deletions of links that are there, since somebody has restored them in another way. */
  function forget(present: ReadonlySet<string>): void {
    const left = done.value.filter(({ deleted }) => !deleted?.every((id) => present.has(id)));
    if (left.length < done.value.length) done.value = left;
  }

  /** Undoes nothing until a change is made. */
  async function hold<T>(change: Promise<T>): Promise<T> {
    running.value += 1;
    try {
      return await change;
    } finally {
      running.value -= 1;
    }
  }

  return { push, undoLast, forget, hold };
}
