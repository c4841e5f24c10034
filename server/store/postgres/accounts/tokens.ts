import { LruMap } from 'toad-cache';
import { DAY_MS } from '../../../lib/durations.ts';
import type { Token, TokenOwner } from '../../account.ts';
import { type AccountJson, fromAccountJson } from '../../records/account-json.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { ChangeNotice } from '../changes/change-notice.ts';
import type { Database } from '../database/database.ts';
import { fromTokenRow, LIST_TOKENS, STORED_TOKEN, type TokenRow } from './account-row.ts';

const MAX_REMEMBERED = 10_000;
/** Tokens of which the day of the last use is known, so that it is written once a day. */
const MAX_USED = 20_000;

export const FIND_TOKEN = `SELECT ${STORED_TOKEN}, account FROM tokens JOIN accounts ON accounts.id = account_id
    WHERE token_hash = $1 AND account IS NOT NULL`;

const USE = `UPDATE tokens SET last_used_on = $3
    WHERE account_id = $1 AND id = $2 AND (last_used_on IS NULL OR last_used_on < $3)`;

/** The tokens of all accounts. */
export class Tokens {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #onError: (error: unknown) => void;
  /** Tokens that were found, by hash. */
  readonly #remembered = new LruMap<TokenOwner>(MAX_REMEMBERED);
  /** A look-up that began before a change must not be remembered after it. */
  #changeCount = 0;
  /** The days of uses in this process, by account and token. */
  readonly #usedOn = new LruMap<number>(MAX_USED);
  readonly #writes = new Set<Promise<void>>();

  constructor(database: Database, feed: ChangeFeed, onError: (error: unknown) => void) {
    this.#database = database;
    this.#feed = feed;
    this.#onError = onError;
    feed.listen((notice) => this.#invalidate(notice));
  }

  /** See `Store.findToken`. */
  async find(tokenHash: string): Promise<TokenOwner | undefined> {
    const owner = await this.#findOwner(tokenHash);
    return owner && { ...owner, token: this.#withUse(owner.token) };
  }

  /** See `Store.listTokens`. */
  async list(accountId: string): Promise<Token[]> {
    const rows = await this.#database.read<TokenRow>(LIST_TOKENS, [[accountId]]);
    return rows.map((row) => this.#withUse(toToken(row)));
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

  /** Waits for uses that are being written. */
  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #withUse(token: Token): Token {
    const day = this.#usedOn.get(`${token.accountId} ${token.id}`) ?? 0;
    return day > (token.lastUsedOn ?? 0) ? { ...token, lastUsedOn: day } : token;
  }

  async #findOwner(tokenHash: string): Promise<TokenOwner | undefined> {
    const remembered = this.#feed.isUpToDate && this.#remembered.get(tokenHash);
    if (remembered) return remembered;
    const changes = this.#changeCount;
    type Row = TokenRow & { account: AccountJson };
    const [row] = await this.#database.read<Row>(FIND_TOKEN, [tokenHash]);
    if (!row) return undefined;
    const owner = { account: fromAccountJson(row.account_id, row.account), token: toToken(row) };
    if (changes === this.#changeCount) this.#remembered.set(tokenHash, owner);
    return owner;
  }

  /** Everything if an account changed: that is rare, and tokens are not known by their account. */
  #invalidate(notice: ChangeNotice): void {
    const hasChanged = notice === 'all' || notice.accounts || notice.deletedAccounts;
    if (!hasChanged && !notice.tokens) return;
    this.#changeCount++;
    if (hasChanged) this.#remembered.clear();
    else for (const tokenHash of notice.tokens ?? []) this.#remembered.delete(tokenHash);
  }
}

function toToken(row: TokenRow): Token {
  return { ...fromTokenRow(row), lastUsedOn: row.last_used_on };
}
