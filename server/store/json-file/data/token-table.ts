import type { Token } from '../../account.ts';
import { type StoredToken, withLastUse } from '../../records/account-json.ts';
import type { StoreRecord } from '../../records.ts';

/** All tokens, also the first one of each account, and when they were used last. */
export class TokenTable {
  readonly #byHash = new Map<string, StoredToken>();
  /** By account, oldest first. */
  readonly #ofAccounts = new Map<string, StoredToken[]>();
  /** By hash, as the number of the day. */
  readonly #usedOn = new Map<string, number>();

  get(tokenHash: string): StoredToken | undefined {
    return this.#byHash.get(tokenHash);
  }

  ofAccount(accountId: string): readonly StoredToken[] {
    return this.#ofAccounts.get(accountId) ?? [];
  }

  set(token: StoredToken): void {
    const tokens = this.#ofAccounts.get(token.accountId) ?? [];
    const index = tokens.findIndex(({ tokenHash }) => tokenHash === token.tokenHash);
    tokens[index === -1 ? tokens.length : index] = token;
    this.#ofAccounts.set(token.accountId, tokens);
    this.#byHash.set(token.tokenHash, token);
  }

  delete(tokenHash: string): void {
    const token = this.#byHash.get(tokenHash);
    if (!token) return;
    const left = this.ofAccount(token.accountId).filter((each) => each !== token);
    if (left.length > 0) this.#ofAccounts.set(token.accountId, left);
    else this.#ofAccounts.delete(token.accountId);
    this.#byHash.delete(tokenHash);
    this.#usedOn.delete(tokenHash);
  }

  setUse(tokenHash: string, day: number | null): void {
    // A token can be deleted while its use waits to be written.
    if (day === null || !this.#byHash.has(tokenHash)) this.#usedOn.delete(tokenHash);
    else this.#usedOn.set(tokenHash, day);
  }

  /** Whether the token exists and was not used on that UTC day or a later one. */
  isFirstUse(tokenHash: string, day: number): boolean {
    return this.#byHash.has(tokenHash) && (this.#usedOn.get(tokenHash) ?? 0) < day;
  }

  withLastUse(token: StoredToken): Token {
    return withLastUse(token, this.#usedOn.get(token.tokenHash));
  }

  /** Without the first tokens, which are part of their accounts. */
  *records(): Generator<StoreRecord> {
    for (const [hash, token] of this.#byHash) {
      if (token.id !== token.accountId) yield ['token', hash, token];
    }
    for (const [hash, day] of this.#usedOn) yield ['used', hash, day];
  }
}
