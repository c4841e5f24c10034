import { signal } from '@preact/signals';

/** A change that was made, as the bar at the bottom shows it. */
export type Done = {
  text: string;
  /** Of the link, if it was one. */
  shortUrl?: string | undefined;
  /** Whether the clicked button is gone with its row. @default false */
  takesFocus?: boolean;
  /** Absent if the change can't be undone. @returns why it couldn't be undone */
  undo?: (() => Promise<string | undefined>) | undefined;
};

export type UndoState = ReturnType<typeof createUndo>;

/** What can be undone since the page was opened, most recent last. */
export function createUndo(onFailure: (text: string | undefined) => void) {
  const done = signal<Done[]>([]);

  function push(change: Done): void {
    // A change that can't be undone is shown once, and keeps no earlier one from being undone.
    done.value = [...done.value.filter(({ undo }) => undo), change];
  }

  /** Undoes the latest change. */
  async function undoLast(): Promise<void> {
    const last = done.value.at(-1);
    if (!last) return;
    const failure = await last.undo?.();
    onFailure(failure);
    if (failure === undefined) done.value = done.value.filter((one) => one !== last);
  }

  function clear(): void {
    done.value = [];
  }

  return { done, push, undoLast, clear };
}
