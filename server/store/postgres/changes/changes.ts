import { newMonths } from '../../records/month.ts';
import type { StoreRecord } from '../../records.ts';
import type { Change, Needs } from '../../rules/change.ts';
import { Layer } from '../../rules/layer.ts';
import { StoreUnavailableError } from '../../store.ts';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/statement.ts';
import type { ChangeFeed } from './change-feed.ts';
import { announce, changeOf, type Change as Notice } from './change-notice.ts';
import { Facts } from './facts.ts';
import { writeRecords } from './write-records.ts';

/** Changes that one transaction makes at most. */
const TOGETHER = 100;
/** Transactions at a time. With more, each would make fewer changes, and all together no more. */
const TRANSACTIONS = 4;
/** The longest time that a change waits for its turn. */
const WAIT_MS = 5000;

/** What `Facts` has added, unless it has got an account, a link, or a use. */
const DELETE_UNUSED = `DELETE FROM accounts WHERE id = ANY ($1)
    AND account IS NULL AND NOT is_deleted AND total = 0 AND besides = '{}'`;

type Pending = {
  needs: Needs & Pick<Required<Needs>, 'accounts'>;
  decide: Change<unknown>['decide'];
  decided: PromiseWithResolvers<unknown>;
  since: number;
};

/**
 * Makes changes: reads and locks what their decisions ask for, decides, writes the records, and notifies all
 * servers. Those of one account are made in the order of the calls. Those that wait share a transaction, so
 * that neither an account nor a server is limited to a few changes for each write of the disk.
 */
export class Changes {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #monthOf = newMonths();
  /** In the order of the calls. */
  #waiting: Pending[] = [];
  /** Accounts that are being changed. */
  readonly #busy = new Set<string>();
  #running = 0;
  /** Changes under way. */
  pendingCount = 0;

  constructor(database: Database, feed: ChangeFeed) {
    this.#database = database;
    this.#feed = feed;
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
    let notice: Notice | undefined;
    try {
      const settle = await this.#database.transaction(async (query) => {
        const decided = await this.#decide(query, group);
        const { records, facts, layer } = decided;
        notice = changeOf(records, facts);
        if (records.length > 0) {
          // The transaction fails if one of these does; it is committed without waiting for them.
          void writeRecords(query, records, layer, facts).catch(ignore);
          void announce(query, notice).catch(ignore);
        }
        // Of a new account's link that was not added, only the lock would be left.
        if (facts.added.length > 0) void query(DELETE_UNUSED, [facts.added]).catch(ignore);
        return decided.settle;
      });
      if (notice) this.#feed.expect(notice);
      return settle;
    } finally {
      // Also after an error: the transaction may be committed although the answer was lost.
      if (notice) await this.#feed.apply(notice);
    }
  }

  async #decide(query: Query, group: Pending[]) {
    const facts = await Facts.load(query, merge(group));
    const layer = new Layer(facts, this.#monthOf);
    const records: StoreRecord[] = [];
    const settle = group.map(({ decide, decided }) => {
      try {
        const { outcome, records: own } = decide(layer);
        for (const record of own) layer.add(record);
        for (const record of own) records.push(withOriginal(record, layer));
        return () => decided.resolve(outcome);
      } catch (error) {
        return () => decided.reject(error);
      }
    });
    return { facts, layer, records, settle };
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

/** The link as created, which may be edited by the next decision. */
function withOriginal(record: StoreRecord, layer: Layer): StoreRecord {
  if (record[0] !== 'key' || !record[2]) return record;
  const [kind, key, used] = record;
  return [
    kind,
    key,
    { ...used, original: used.original ?? layer.get('link', used.linkId) ?? null },
  ];
}

function merge(group: Pending[]): Needs {
  const all = group.map(({ needs }) => needs);
  type Name = {
    [Each in keyof Needs]-?: NonNullable<Needs[Each]> extends readonly string[] ? Each : never;
  }[keyof Needs];
  const union = (name: Name) => [...new Set(all.flatMap((needs) => needs[name] ?? []))];
  return {
    accounts: accountsOf(group),
    addsAccounts: all.some(({ addsAccounts }) => addsAccounts),
    withTokens: all.some(({ withTokens }) => withTokens),
    links: union('links'),
    visitedLinks: union('visitedLinks'),
    aliases: union('aliases'),
    importKeys: union('importKeys'),
    keys: union('keys'),
    blocks: union('blocks'),
    domains: union('domains'),
    usedDomains: union('usedDomains'),
    days: union('days'),
    reports: union('reports'),
    identities: union('identities'),
  };
}

function ignore(): void {}
