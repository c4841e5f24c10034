import { LruMap } from 'toad-cache';
import type { Time } from '../../../../shared/time.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Token, TokenOwner } from '../../account.ts';
import { type AccountJson, fromAccountJson } from '../../records.ts';
import { type ChangedFacts, CURRENT_MS } from '../changes/change-transactions.ts';
import type { Database } from '../database/database.ts';
import { fromTokenRow, LIST_TOKENS, STORED_TOKEN, type TokenRow } from '../rows.ts';

const MAX_REMEMBERED = 10_000;
/** Tokens of which the day of the last use is known, so that it is written once a day. */
const MAX_USED = 20_000;

export const FIND_TOKEN = `SELECT ${STORED_TOKEN}, account FROM tokens JOIN accounts ON accounts.id = account_id
    WHERE token_hash = $1 AND account IS NOT NULL`;

export const FIND_TOKEN_HASH = `SELECT token_hash FROM tokens JOIN accounts ON accounts.id = account_id
    WHERE token_hash >= $1 AND token_hash < $2 AND account IS NOT NULL LIMIT 1`;

const USE = `UPDATE tokens SET last_used_on = $3
    WHERE account_id = $1 AND token->>'id' = $2 AND (last_used_on IS NULL OR last_used_on < $3)`;

/** The tokens of all accounts. */
export class Tokens {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #time: Time;
  /** Tokens that were found, by hash, and when their look-up began. */
  readonly #remembered = new LruMap<{ owner: TokenOwner; at: number }>(MAX_REMEMBERED);
  /** A look-up that began before a change must not be remembered after it. */
  #changeCount = 0;
  /** The days of uses in this process, by account and token. */
  readonly #usedOn = new LruMap<number>(MAX_USED);
  readonly #writes = new Set<Promise<void>>();

  constructor(database: Database, onError: (error: unknown) => void, time: Time) {
    this.#database = database;
    this.#onError = onError;
    this.#time = time;
  }

  /** See `Store.findToken`. */
  async find(tokenHash: string): Promise<TokenOwner | undefined> {
    const owner = await this.#findOwner(tokenHash);
    return owner && { ...owner, token: this.#withUse(owner.token) };
  }

  /** See `Store.findTokenHash`. */
  async findHash(start: string): Promise<string | undefined> {
    // No character of base64url comes after a tilde.
    const range = [start, `${start}~`];
    const [row] = await this.#database.read<{ token_hash: string }>(FIND_TOKEN_HASH, range);
    return row?.token_hash;
  }

  /** See `Store.listTokens`. */
  async list(accountId: string): Promise<Token[]> {
    const rows = await this.#database.read<TokenRow>(LIST_TOKENS, [[accountId]]);
    return rows.map((row) => this.#withUse(fromTokenRow(row))).filter(({ signIn }) => !signIn);
  }

  /** See `Store.markTokenUsed`. */
  markUsed({ accountId, id }: Pick<Token, 'id' | 'accountId'>, time: number): void {
    const day = time - (time % DAY_MS);
    const key = `${accountId} ${id}`;
    if (day <= (this.#usedOn.get(key) ?? 0)) return;
    this.#usedOn.set(key, day);
    const write = this.#database
      .write(USE, [accountId, id, day])
      .then(() => {})
      .catch((error: unknown) => {
        // So that the next use is written.
        this.#usedOn.delete(key);
        this.#onError(error);
      })
      .finally(() => this.#writes.delete(write));
    this.#writes.add(write);
  }

  /** Forgets what has changed: everything if an account did, since tokens are not known by their account. */
  forget({ accounts, tokens }: ChangedFacts): void {
    if (accounts.length === 0 && tokens.length === 0) return;
    this.#changeCount++;
    if (accounts.length > 0) this.#remembered.clear();
    for (const tokenHash of tokens) this.#remembered.delete(tokenHash);
  }

  /** Waits for uses that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #withUse(token: Token): Token {
    const day = this.#usedOn.get(`${token.accountId} ${token.id}`) ?? 0;
    return day > (token.lastUsedOn ?? 0) ? { ...token, lastUsedOn: day } : token;
  }

  async #findOwner(tokenHash: string): Promise<TokenOwner | undefined> {
    const at = this.#time.monotonic();
    const remembered = this.#remembered.get(tokenHash);
    if (remembered && at - remembered.at < CURRENT_MS) return remembered.owner;
    const changes = this.#changeCount;
    type Row = TokenRow & { account: AccountJson };
    const [row] = await this.#database.read<Row>(FIND_TOKEN, [tokenHash]);
    if (!row) return undefined;
    const owner = {
      account: fromAccountJson(row.token.accountId, row.account),
      token: fromTokenRow(row),
    };
    if (changes === this.#changeCount) this.#remembered.set(tokenHash, { owner, at });
    return owner;
  }
}
