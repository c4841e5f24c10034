import { DAY_MS } from '../../../core/durations.ts';
import type { Token } from '../../account.ts';
import type { State } from '../memory/state.ts';

const WRITE_MS = 1000;

/** A token and the number of the UTC day. */
type Use = [accountId: string, id: string, day: number];

/** Writes the days of tokens' last uses, once per token and day. */
export class TokenUses {
  readonly #state: State;
  readonly #commit: (members: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #uses: Use[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param commit resolves once the members are on disk as a line */
  constructor(
    state: State,
    commit: (members: string) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#state = state;
    this.#commit = commit;
    this.#onError = onError;
  }

  mark({ accountId, id }: Pick<Token, 'id' | 'accountId'>, time: number): void {
    const day = Math.floor(time / DAY_MS);
    if (this.#state.useToken(accountId, id, day)) this.#add([[accountId, id, day]]);
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #add(uses: Use[]): void {
    this.#uses.push(...uses);
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = this.#uses;
    this.#uses = [];
    if (uses.length === 0) return;
    try {
      await this.#commit(`"used":${JSON.stringify(uses)}`);
    } catch (error) {
      this.#add(uses);
      throw error;
    }
  }
}
