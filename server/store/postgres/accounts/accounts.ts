import type { Account, AccountChanges, LinkCounts } from '../../account.ts';
import { changeAccount } from '../../records/account-json.ts';
import { type ChangeContext, commitChange } from '../changes/commit-change.ts';
import type { Query, Statement } from '../database/statement.ts';
import { monthOf } from '../links/month.ts';
import {
  fromAccountRow,
  READ_ACCOUNT,
  type StoredAccount,
  toAccountRow,
  writeAccount,
} from './account-row.ts';
import { lockAccount } from './lock-account.ts';

const ADD: Statement = {
  name: 'add_account',
  text: `WITH added AS (
      INSERT INTO accounts (id, identity_hash, account, search_text) VALUES ($1, $2, $3, $4)
      ON CONFLICT (identity_hash) DO NOTHING RETURNING id
    ), counted AS (
      INSERT INTO account_links (account_id) SELECT id FROM added ON CONFLICT DO NOTHING
    ), first_token AS (
      INSERT INTO tokens (token_hash, id, account_id, name, scope, created)
      SELECT $5, id, id, '', 'all', $6 FROM added WHERE $5 <> ''
    )
    SELECT id FROM added`,
};
const FIND_BY_IDENTITY: Statement = {
  name: 'find_account_by_identity',
  text: 'SELECT account FROM accounts WHERE identity_hash = $1',
};
const COUNT_LINKS: Statement = {
  name: 'count_links',
  text: `SELECT coalesce((months->>$2)::bigint, 0) AS month, total, imported
    FROM account_links WHERE account_id = $1`,
};

/** All accounts. */
export class Accounts {
  readonly #context: ChangeContext;

  constructor(context: ChangeContext) {
    this.#context = context;
  }

  /** See `Store.addAccount`. */
  async add(account: Account): Promise<Account> {
    const { id, identity_hash, account: json, search_text } = toAccountRow(account);
    const values = [id, identity_hash, json, search_text, account.tokenHash, account.created];
    for (;;) {
      const added = await this.#context.database.write(ADD, values);
      if (added.length > 0) return account;
      const known = await this.findByIdentity(identity_hash ?? '');
      if (known) return known;
      // The account with this identity has just been deleted.
    }
  }

  /** See `Store.findAccountByIdentity`. */
  async findByIdentity(identityHash: string): Promise<Account | undefined> {
    const [row] = await this.#context.database.read<StoredAccount>(FIND_BY_IDENTITY, [
      identityHash,
    ]);
    return row && fromAccountRow(row);
  }

  /** See `Store.countLinks`. */
  countLinks(accountId: string, time: number): Promise<LinkCounts> {
    return this.#context.database.readTogether((query) => readCounts(query, accountId, time));
  }

  /** See `Administration.findAccount`. */
  async find(id: string): Promise<Account | undefined> {
    const [row] = await this.#context.database.read<StoredAccount>(READ_ACCOUNT, [id]);
    return row && fromAccountRow(row);
  }

  /** See `Administration.editAccount`. */
  edit(id: string, changes: AccountChanges): Promise<Account | undefined> {
    return commitChange(this.#context, id, async (query, tell) => {
      const locked = await lockAccount(query, id, { kind: 'administrator' });
      if (!locked?.account) return undefined;
      const account = changeAccount(locked.account, changes);
      await writeAccount(query, account);
      await tell({ accounts: [id] });
      return account;
    });
  }
}

/** Exact if the account is locked. */
export async function readCounts(
  query: Query,
  accountId: string,
  time: number,
): Promise<LinkCounts> {
  const [counts] = await query<LinkCounts>(COUNT_LINKS, [accountId, monthOf(time)]);
  return counts ?? { month: 0, total: 0, imported: 0 };
}
