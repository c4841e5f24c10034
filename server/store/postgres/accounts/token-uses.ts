import { LruMap } from 'toad-cache';
import { DAY_MS } from '../../../lib/durations.ts';
import type { Token } from '../../account.ts';
import type { Database } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';

const WRITE_MS = 1000;
/** Tokens of which the day of the last use is known, so that it is written once a day. */
const MAX_KNOWN = 20_000;

const WRITE: Statement = {
  name: 'use_tokens',
  text: `UPDATE tokens SET last_used_on = used.day
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS used (account_id, id, day)
    WHERE tokens.account_id = used.account_id AND tokens.id = used.id
      AND (last_used_on IS NULL OR last_used_on < used.day)`,
};

/** A token and the start of a UTC day. */
type Use = { accountId: string; id: string; day: number };

/** Writes the days of tokens' last uses, once per token and day. */
export class TokenUses {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  /** The latest uses in this process, written or not. */
  readonly #known = new LruMap<number>(MAX_KNOWN);
  readonly #waiting = new Map<string, Use>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** See `Store.markTokenUsed`. */
  mark(token: Pick<Token, 'id' | 'accountId'>, time: number): void {
    const { id, accountId } = token;
    const day = time - (time % DAY_MS);
    if (day <= (this.#latest(token) ?? 0)) return;
    this.#known.set(keyOf(token), day);
    this.#waiting.set(keyOf(token), { id, accountId, day });
    this.#writeLater();
  }

  /** The token as read from the database, with its uses in this process. */
  withUse(token: Token): Token {
    const day = this.#latest(token) ?? 0;
    return day > (token.lastUsedOn ?? 0) ? { ...token, lastUsedOn: day } : token;
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    try {
      await this.#write();
    } finally {
      clearTimeout(this.#timer);
    }
  }

  #latest(token: Pick<Token, 'id' | 'accountId'>): number | undefined {
    return this.#waiting.get(keyOf(token))?.day ?? this.#known.get(keyOf(token));
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => this.#write().catch(this.#onError), WRITE_MS);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#waiting.values()];
    if (uses.length === 0) return;
    try {
      await this.#database.write(WRITE, [
        uses.map(({ accountId }) => accountId),
        uses.map(({ id }) => id),
        uses.map(({ day }) => day),
      ]);
      for (const use of uses) this.#removeWritten(use);
    } catch (error) {
      this.#writeLater();
      throw error;
    }
  }

  /** Unless it was used on a later day meanwhile. */
  #removeWritten(use: Use): void {
    if (this.#waiting.get(keyOf(use)) === use) this.#waiting.delete(keyOf(use));
  }
}

/** Ids have no spaces. */
function keyOf({ accountId, id }: Pick<Token, 'id' | 'accountId'>): string {
  return `${accountId} ${id}`;
}
