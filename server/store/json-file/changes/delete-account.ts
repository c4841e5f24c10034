import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountDeletion } from '../../account.ts';
import type { State } from '../memory/state.ts';
import { assertAuthorized } from './authorize.ts';
import { type ChangeContext, commitChange, type Undecided } from './context.ts';

/** How long the erasure of links may block the event loop at a time. */
const SLICE_MS = 5;

/**
 * See `Store.deleteAccount`. Changes of the account that were committed before are applied before, and
 * later ones wait and then find no account.
 */
export function tryToDeleteAccount(
  context: ChangeContext,
  { accountId: id, by }: AccountDeletion,
): undefined | Promise<undefined> | Undecided {
  const { state, reserved, clock, countChange } = context;
  const decided = reserved.lockDecided(id);
  if (decided) return { decided };
  assertAuthorized(state, id, by);
  if (!state.accounts.has(id)) return undefined;
  const erasedAt = clock();
  const members = `"deletedAccount":${JSON.stringify({ id, at: erasedAt })}`;
  return commitChange(context, { lockId: id }, { members, retainedBytes: 0, erasedAt }, () => {
    state.deleteAccount(id);
    countChange();
    return undefined;
  });
}

/** Erases the links of deleted accounts from memory, a few at a time. They are invisible before. */
export class LinkEraser {
  readonly #state: State;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(state: State) {
    this.#state = state;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { accountsToErase } = this.#state;
    // Not synchronously, because `start` has not set `#running` yet.
    await nextTurn();
    while (accountsToErase.size > 0 && !this.#isClosed) {
      const sliceEnd = performance.now() + SLICE_MS;
      while (accountsToErase.size > 0 && performance.now() < sliceEnd) this.#state.eraseNextLink();
      await nextTurn();
    }
    this.#running = undefined;
  }
}
