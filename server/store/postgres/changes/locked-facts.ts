import type { Account, Token } from '../../account.ts';
import type { Link } from '../../link.ts';
import { type RecordValues, splitKey, type UsedKey } from '../../records.ts';
import type { AliasHolder } from '../../rules/aliases.ts';
import type { FactKind, Facts, Needs } from '../../rules/change.ts';
import type { Query } from '../database/session.ts';
import {
  type AccountRow,
  fromAccountRow,
  fromKeyRow,
  fromLinkRow,
  fromTokenRow,
  type KeyRow,
  LIST_TOKENS,
  type LinkRow,
  LOCK_KEYS,
  PLAIN_TABLES,
  type PlainRow,
  searchable,
  type TokenRow,
} from '../rows.ts';

type LockedRow = AccountRow & {
  is_deleted: boolean;
  quotas: Record<string, number>;
};
type ImportKeyRow = { account_id: string; import_key: string };
type TagsRow = { account_id: string; count: number; known: string[] | null };
type AliasRow = { key: string; account_id: string } & (LinkRow | { id: null });

const ACCOUNT = 'id, account, is_deleted, quotas';

/** All servers lock accounts in one order. */
const LOCK_ACCOUNTS = `SELECT ${ACCOUNT} FROM accounts
    WHERE id = ANY ($1) ORDER BY id FOR UPDATE`;
const ADD_ACCOUNTS = `INSERT INTO accounts (id) SELECT id FROM unnest($1::text[]) AS id ORDER BY id
    ON CONFLICT DO NOTHING RETURNING ${ACCOUNT}`;
export const FIND_BY_IDENTITY = 'SELECT id, account FROM accounts WHERE identity_hash = ANY ($1)';
const READ_LINKS = 'SELECT id, hits, link FROM visible_links WHERE id = ANY ($1)';
/** In the order in which hits are counted. */
const LOCK_LINKS = `${READ_LINKS} ORDER BY id FOR UPDATE`;
const READ_ALIASES = `SELECT key, aliases.account_id, id, hits, link
    FROM aliases LEFT JOIN visible_links ON id = link_id WHERE key = ANY ($1)`;
const READ_IMPORT_KEYS = `SELECT account_id, import_key FROM links
    WHERE account_id = ANY ($1) AND import_key = ANY ($2)`;
/** How many tags accounts have, and which of some. */
const READ_TAGS = `SELECT account_id, count(DISTINCT folded) AS count,
      array_agg(DISTINCT folded) FILTER (WHERE folded = ANY ($2)) AS known
    FROM account_tags WHERE account_id = ANY ($1) GROUP BY account_id`;
/** Those that do not exist yet have no row to lock. */
const LOCK_DOMAINS = 'LOCK TABLE domains IN SHARE ROW EXCLUSIVE MODE';
const LOCK_DAYS = 'LOCK TABLE days IN SHARE ROW EXCLUSIVE MODE';

/** Those who use a domain do not wait for each other, and who changes it waits for them. */
const SHARE_DOMAINS = 'SELECT key, value FROM domains WHERE key = ANY ($1) ORDER BY key FOR SHARE';

/** What the database has of what decisions ask for. It cannot change until the transaction ends. */
export class LockedFacts implements Facts {
  readonly links = new Map<string, Link>();
  /** Undefined: nobody has ever used the alias. */
  readonly aliases = new Map<string, AliasHolder | undefined>();
  readonly keys = new Map<string, UsedKey | undefined>();
  /** Ids of accounts with keys. */
  readonly #importKeys = new Set<string>();
  readonly #tags = new Map<string, TagsRow>();
  readonly #accounts = new Map<string, LockedRow>();
  /** Accounts whose rows were added, for the locks. */
  readonly added: string[] = [];
  /** The accounts that have the identities. */
  readonly #identified: Account[] = [];
  /** Tokens, blocks, domains, reports and days, by kind and key. */
  readonly #others = new Map<string, unknown>();
  readonly #tokensOfAccounts = new Map<string, Token[]>();

  /** Sends all statements at once: what they read is from after the locks. */
  static async load(query: Query, needs: Needs): Promise<LockedFacts> {
    const facts = new LockedFacts();
    const { accounts = [], identities = [], links = [], visitedLinks = [] } = needs;
    const { aliases = [], idempotencyKeys: keys = [], importKeys = [], days = [] } = needs;
    const { domains = [], usedDomains = [], tags = [] } = needs;
    const read = <Row extends object>(
      statement: string,
      values: readonly string[],
      add: (row: Row) => unknown,
    ) =>
      values.length > 0 &&
      query<Row>(statement, [values]).then((rows) => {
        for (const row of rows) add(row);
      });
    for (const alias of aliases) facts.aliases.set(alias, undefined);
    for (const key of keys) facts.keys.set(key, undefined);
    await Promise.all([
      facts.#lock(query, needs),
      read<KeyRow>(LOCK_KEYS, keys, (row) => facts.addKey(row)),
      read<LinkRow>(LOCK_LINKS, visitedLinks, (row) => facts.#addLink(row)),
      read<AliasRow>(READ_ALIASES, aliases, (row) => facts.#addAlias(row)),
      read<LinkRow>(READ_LINKS, links, (row) => facts.#addLink(row)),
      importKeys.length > 0 &&
        query<ImportKeyRow>(READ_IMPORT_KEYS, [accounts, importKeys]).then((rows) => {
          for (const row of rows) facts.#importKeys.add(`${row.account_id} ${row.import_key}`);
        }),
      tags.length > 0 &&
        query<TagsRow>(READ_TAGS, [accounts, tags.map(searchable)]).then((rows) => {
          for (const row of rows) facts.#tags.set(row.account_id, row);
        }),
      domains.length > 0 && query(LOCK_DOMAINS),
      read<PlainRow>(SHARE_DOMAINS, usedDomains, ({ key, value }) =>
        facts.#others.set(`domain ${key}`, value),
      ),
      days.length > 0 && query(LOCK_DAYS),
      ...PLAIN_TABLES.map(([kind, table]) =>
        read<PlainRow>(
          `SELECT key, value FROM ${table} WHERE key = ANY ($1)`,
          needs[table] ?? [],
          ({ key, value }) => facts.#others.set(`${kind} ${key}`, value),
        ),
      ),
      read<TokenRow>(LIST_TOKENS, needs.tokensOf ?? [], (row) => facts.#addToken(row)),
      read<AccountRow>(FIND_BY_IDENTITY, identities, (row) => {
        const account = fromAccountRow(row);
        if (account) facts.#identified.push(account);
      }),
    ]);
    return facts;
  }

  get<Kind extends FactKind>(kind: Kind, key: string): RecordValues[Kind] | undefined {
    return this.#get(kind, key) as RecordValues[Kind] | undefined;
  }

  holder(alias: string): AliasHolder | undefined {
    if (!this.aliases.has(alias)) throw new Error(`the alias ${alias} was not read`);
    return this.aliases.get(alias);
  }

  hasImportKey(accountId: string, importKey: string): boolean {
    return this.#importKeys.has(`${accountId} ${importKey}`);
  }

  hasTag(accountId: string, folded: string): boolean {
    return this.#tags.get(accountId)?.known?.includes(searchable(folded)) ?? false;
  }

  countTags(accountId: string): number {
    return this.#tags.get(accountId)?.count ?? 0;
  }

  accountByIdentity(identityHash: string): Account | undefined {
    return this.#identified.find((account) => account.identityHash === identityHash);
  }

  isDeleted(accountId: string): boolean {
    return this.#accounts.get(accountId)?.is_deleted ?? false;
  }

  tokens(accountId: string): readonly Token[] {
    return this.#tokensOfAccounts.get(accountId) ?? [];
  }

  #get(kind: FactKind, key: string): unknown {
    if (kind === 'link') return this.links.get(key);
    if (kind === 'account') return this.#account(key);
    if (kind === 'quota') {
      const [accountId, period] = splitKey(key);
      return this.#accounts.get(accountId)?.quotas[period];
    }
    if (kind !== 'idempotencyKey') return this.#others.get(`${kind} ${key}`);
    if (!this.keys.has(key)) throw new Error('the key was not read');
    return this.keys.get(key);
  }

  #account(id: string): Account | undefined {
    const row = this.#accounts.get(id);
    return row ? fromAccountRow(row) : this.#identified.find((account) => account.id === id);
  }

  async #lock(query: Query, { accounts = [], newAccounts = [] }: Needs): Promise<void> {
    if (accounts.length === 0) return;
    const lock = async (statement: string, ids: readonly string[]) => {
      const missing = ids.filter((id) => !this.#accounts.has(id));
      if (missing.length === 0) return [];
      const rows = await query<LockedRow>(statement, [missing]);
      for (const row of rows) this.#accounts.set(row.id, row);
      return rows.map(({ id }) => id);
    };
    await lock(LOCK_ACCOUNTS, accounts);
    this.added.push(...(await lock(ADD_ACCOUNTS, newAccounts)));
    // Somebody else may have added one.
    await lock(LOCK_ACCOUNTS, newAccounts);
  }

  #addToken(row: TokenRow): void {
    const token = fromTokenRow(row);
    this.#others.set(`token ${token.tokenHash}`, token);
    this.#tokensOfAccounts.set(token.accountId, [...this.tokens(token.accountId), token]);
  }

  #addLink(row: LinkRow): Link {
    const link = fromLinkRow(row);
    this.links.set(link.id, link);
    return link;
  }

  /** A link of an account that was deleted has its aliases until it is erased. */
  #addAlias(row: AliasRow): void {
    const { key, account_id: accountId } = row;
    this.aliases.set(key, row.id === null ? { accountId } : this.#addLink(row));
  }

  addKey(row: KeyRow): void {
    this.keys.set(row.key_hash, fromKeyRow(row));
    if (row.id !== null) this.#addLink(row as LinkRow);
  }
}
