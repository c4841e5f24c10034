import { LruMap } from 'toad-cache';
import { TOKENS_MAX } from '../../../../shared/limits.ts';
import type {
  AddTokenOutcome,
  NewToken,
  RevokeTokenOutcome,
  Token,
  TokenOwner,
  TokenRevocation,
} from '../../account.ts';
import type { ChangeNotice } from '../changes/change-notice.ts';
import { type ChangeContext, commitChange, type Tell } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';
import {
  fromAccountRow,
  READ_ACCOUNT,
  STORED_TOKEN,
  type StoredAccount,
  type StoredToken,
  writeAccount,
} from './account-row.ts';
import { lockAccount } from './lock-account.ts';
import { TokenUses } from './token-uses.ts';

const MAX_REMEMBERED = 10_000;

export const FIND_TOKEN: Statement = {
  name: 'find_token',
  text: `SELECT ${STORED_TOKEN} FROM tokens WHERE token_hash = $1`,
};
const LIST: Statement = {
  name: 'list_tokens',
  text: `SELECT ${STORED_TOKEN} FROM tokens WHERE account_id = $1 ORDER BY number`,
};
const ADD: Statement = {
  name: 'add_token',
  text: `INSERT INTO tokens (${STORED_TOKEN}) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};
const REVOKE: Statement = {
  name: 'revoke_token',
  text: 'DELETE FROM tokens WHERE token_hash = $1',
};

/** The tokens of all accounts. */
export class Tokens {
  readonly #context: ChangeContext;
  readonly #uses: TokenUses;
  /** Tokens that were found, by hash. */
  readonly #remembered = new LruMap<TokenOwner>(MAX_REMEMBERED);
  /** A look-up that began before a change must not be remembered after it. */
  #changes = 0;

  constructor(context: ChangeContext, onError: (error: unknown) => void) {
    this.#context = context;
    this.#uses = new TokenUses(context.database, onError);
    context.feed.listen((notice) => this.#forget(notice));
  }

  /** See `Store.findToken`. */
  async find(tokenHash: string): Promise<TokenOwner | undefined> {
    const owner = await this.#findOwner(tokenHash);
    return owner && { ...owner, token: this.#uses.withUse(owner.token) };
  }

  /** See `Store.listTokens`. */
  async list(accountId: string): Promise<Token[]> {
    const rows = await this.#context.database.read<StoredToken>(LIST, [accountId]);
    return rows.map((row) => this.#uses.withUse(fromTokenRow(row)));
  }

  /** See `Store.addToken`. */
  add({ token, by, max = TOKENS_MAX }: NewToken): Promise<AddTokenOutcome> {
    const { tokenHash, id, accountId, name, scope, created, lastUsedOn } = token;
    return commitChange(this.#context, accountId, async (query) => {
      if (!(await lockAccount(query, accountId, by))) return 'not_found';
      const others = await query(LIST, [accountId]);
      if (others.length >= max) return 'too_many';
      await query(ADD, [tokenHash, id, accountId, name, scope, created, lastUsedOn]);
      return 'added';
    });
  }

  /** See `Store.revokeToken`. */
  revoke(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return commitChange(this.#context, revocation.accountId, (query, tell) =>
      revoke(query, revocation, tell),
    );
  }

  /** See `Store.markTokenUsed`. */
  markUsed(token: Pick<Token, 'id' | 'accountId'>, time: number): void {
    this.#uses.mark(token, time);
  }

  /** Writes the remaining uses. */
  close(): Promise<void> {
    return this.#uses.close();
  }

  async #findOwner(tokenHash: string): Promise<TokenOwner | undefined> {
    const { database, feed } = this.#context;
    const remembered = feed.isUpToDate && this.#remembered.get(tokenHash);
    if (remembered) return remembered;
    const changes = this.#changes;
    // Two statements, each of one key: tokens and accounts may be on different machines.
    const [row] = await database.read<StoredToken>(FIND_TOKEN, [tokenHash]);
    if (!row) return undefined;
    const [found] = await database.read<StoredAccount>(READ_ACCOUNT, [row.account_id]);
    if (!found) return undefined;
    const owner = { account: fromAccountRow(found), token: fromTokenRow(row) };
    if (changes === this.#changes) this.#remembered.set(tokenHash, owner);
    return owner;
  }

  /** Everything if an account changed: that is rare, and tokens are not known by their account. */
  #forget(notice: ChangeNotice): void {
    const hasChanged = notice === 'all' || notice.accounts || notice.deletedAccounts;
    if (!hasChanged && !notice.tokens) return;
    this.#changes++;
    if (hasChanged) this.#remembered.clear();
    else for (const tokenHash of notice.tokens ?? []) this.#remembered.delete(tokenHash);
  }
}

async function revoke(
  query: Query,
  { id, accountId, by, evenIfLast }: TokenRevocation,
  tell: Tell,
): Promise<RevokeTokenOutcome> {
  const locked = await lockAccount(query, accountId, by);
  const tokens = locked ? await query<StoredToken>(LIST, [accountId]) : [];
  const token = tokens.find((each) => each.id === id);
  if (!token) return 'not_found';
  const others = tokens.filter((each) => each !== token);
  if (!evenIfLast && token.scope === 'all' && !others.some(({ scope }) => scope === 'all')) {
    return 'last_token';
  }
  await query(REVOKE, [token.token_hash]);
  // The account has the hash of its first token.
  const account = id === accountId ? locked?.account : undefined;
  if (account) await writeAccount(query, { ...account, tokenHash: '' });
  await tell({ tokens: [token.token_hash], ...(account && { accounts: [accountId] }) });
  return 'revoked';
}

function fromTokenRow(row: StoredToken): Token {
  const { token_hash, id, account_id, name, scope, created, last_used_on } = row;
  return {
    id,
    accountId: account_id,
    tokenHash: token_hash,
    name,
    scope,
    created,
    lastUsedOn: last_used_on,
  };
}
