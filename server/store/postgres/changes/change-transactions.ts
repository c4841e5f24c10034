import type { StoreRecord } from '../../records.ts';
import { aliasesOf } from '../../rules/aliases.ts';
import { type Change, type Needs, PendingFacts } from '../../rules/change.ts';
import { StoreUnavailableError } from '../../store.ts';
import type { Database } from '../database/database.ts';
import { LockedFacts } from './locked-facts.ts';
import { writeRecords } from './write-records.ts';

/** Changes that one transaction makes at most. */
const TOGETHER = 100;
/** Transactions at a time. With more, each would make fewer changes, and all together no more. */
const TRANSACTIONS = 4;
/** The longest time that a change waits for its turn. */
const WAIT_MS = 5000;

/** What `LockedFacts` has added, unless it has got an account, a link, or a use. */
const DELETE_UNUSED = `DELETE FROM accounts WHERE id = ANY ($1)
    AND account IS NULL AND NOT is_deleted AND total = 0 AND quotas = '{}'`;

type Pending = {
  needs: Needs & Pick<Required<Needs>, 'accounts'>;
  decide: Change<unknown>['decide'];
  decided: PromiseWithResolvers<unknown>;
  since: number;
};

/** How long what was read counts as current, so that a change by another server is in effect within a second. */
export const CURRENT_MS = 900;

/** What a transaction may have changed that this process keeps in memory. */
export type ChangedFacts = {
  /** In lower case. */
  aliases: string[];
  /** Hashes of tokens that were revoked. */
  tokens: string[];
  /** Ids of accounts that were edited or deleted: nothing that is known of their tokens holds. */
  accounts: string[];
  /** Ids of accounts that were deleted: nobody can see their links. */
  deletedAccounts: string[];
  /** Whether blocks or domains were added, edited or removed. */
  hasTables: boolean;
};

/**
 * Makes changes: reads and locks what their decisions ask for, decides, and writes the records. Those of one account
 * are made in the order of the calls. Those that wait share a transaction, so that neither an account nor a server is
 * limited to a few changes for each write of the disk.
 */
export class ChangeTransactions {
  readonly #database: Database;
  readonly #takeEffect: (changed: ChangedFacts) => Promise<void>;
  /** In the order of the calls. */
  #waiting: Pending[] = [];
  /** Accounts that are being changed. */
  readonly #busy = new Set<string>();
  #running = 0;
  /** Changes under way. */
  pendingCount = 0;

  /** @param takeEffect called once a change is committed, before its caller learns of it */
  constructor(database: Database, takeEffect: (changed: ChangedFacts) => Promise<void>) {
    this.#database = database;
    this.#takeEffect = takeEffect;
  }

  /**
   * Makes a change, which takes effect in this process when the promise is settled.
   *
   * @throws StoreUnavailableError if it cannot be written; what deciding throws
   */
  async make<T>(change: Change<T>): Promise<T> {
    const decided = Promise.withResolvers<unknown>();
    const needs = { accounts: [], ...change.needs() };
    this.#waiting.push({ needs, decide: change.decide, decided, since: performance.now() });
    this.pendingCount++;
    this.#start();
    try {
      return (await decided.promise) as T;
    } finally {
      this.pendingCount--;
    }
  }

  #start(): void {
    while (this.#running < TRANSACTIONS) {
      const group = this.#takeGroup();
      if (group.length === 0) return;
      const accounts = accountsOf(group);
      for (const id of accounts) this.#busy.add(id);
      this.#running++;
      void this.#commit(rejectLate(group)).finally(() => {
        for (const id of accounts) this.#busy.delete(id);
        this.#running--;
        this.#start();
      });
    }
  }

  /** The next changes of accounts that are not being changed. */
  #takeGroup(): Pending[] {
    const blocked = new Set(this.#busy);
    const [group, rest]: [Pending[], Pending[]] = [[], []];
    for (const change of this.#waiting) {
      const { accounts } = change.needs;
      const isFree = group.length < TOGETHER && accounts.every((id) => !blocked.has(id));
      (isFree ? group : rest).push(change);
      if (!isFree) for (const id of accounts) blocked.add(id);
    }
    this.#waiting = rest;
    return group;
  }

  async #commit(group: Pending[]): Promise<void> {
    if (group.length === 0) return;
    try {
      for (const settle of await this.#transact(group)) settle();
    } catch (error) {
      if (group.length === 1 || error instanceof StoreUnavailableError) {
        for (const { decided } of group) decided.reject(error);
        return;
      }
      // One that the database refuses must not stop the others.
      for (const change of group) await this.#commit([change]);
    }
  }

  /** @returns what tells the callers, once the changes are in effect */
  async #transact(group: Pending[]): Promise<(() => void)[]> {
    let changed: ChangedFacts | undefined;
    try {
      return await this.#database.transaction(async (query) => {
        const facts = await LockedFacts.load(query, merge(group));
        const pending = new PendingFacts(facts);
        const settle = group.map(({ decide, decided }) => {
          try {
            const { outcome, records } = decide(pending);
            for (const record of records) pending.add(withOriginal(record, pending));
            return () => decided.resolve(outcome);
          } catch (error) {
            return () => decided.reject(error);
          }
        });
        changed = changedBy(pending, facts);
        // The transaction fails if one of the statements does; it is committed without waiting for them.
        void writeRecords(query, pending, facts).catch(ignore);
        // Of a new account's link that was not added, only the lock would be left.
        if (facts.added.length > 0) void query(DELETE_UNUSED, [facts.added]).catch(ignore);
        return settle;
      });
    } finally {
      // Also after an error: the transaction may be committed although the answer was lost.
      if (changed) await this.#takeEffect(changed);
    }
  }
}

/** @returns those that have not waited too long */
function rejectLate(group: Pending[]): Pending[] {
  return group.filter(({ since, decided }) => {
    const isLate = performance.now() - since > WAIT_MS;
    if (isLate) {
      decided.reject(
        new StoreUnavailableError('The database is too slow: the call waited too long.'),
      );
    }
    return !isLate;
  });
}

function accountsOf(group: Pending[]): string[] {
  return [...new Set(group.flatMap(({ needs }) => needs.accounts))];
}

function changedBy(written: PendingFacts, before: LockedFacts): ChangedFacts {
  const links = [...written.keys('link')].flatMap((id) => before.links.get(id) ?? []);
  const deletedAccounts = written.deleted('account');
  const kinds = ['block', 'domain'] as const;
  return {
    aliases: [...links, ...written.values('link')].flatMap(aliasesOf),
    tokens: written.deleted('token'),
    accounts: [...written.keys('account')].filter((id) => before.get('account', id)),
    deletedAccounts,
    // An account is deleted with its blocks and those of its links.
    hasTables:
      deletedAccounts.length > 0 || kinds.some((kind) => [...written.keys(kind)].length > 0),
  };
}

/** The link as created, which may be edited by the next decision. */
function withOriginal(record: StoreRecord, pending: PendingFacts): StoreRecord {
  if (record[0] !== 'idempotencyKey' || !record[2]) return record;
  const [kind, key, used] = record;
  const original = used.original ?? pending.get('link', used.linkId);
  return original ? [kind, key, { ...used, original }] : record;
}

function merge(group: Pending[]): Needs {
  const merged: { [Name in keyof Needs]: readonly string[] } = {};
  for (const { needs } of group) {
    for (const [name, keys] of Object.entries(needs) as [keyof Needs, readonly string[]][]) {
      merged[name] = [...new Set([...(merged[name] ?? []), ...keys])];
    }
  }
  return merged;
}

function ignore(): void {}
