import type { TagCount } from '../../../shared/links/tags.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import type {
  Account,
  AccountDeletion,
  AddTokenOutcome,
  LinkCounts,
  NewToken,
  RevokeTokenOutcome,
  Token,
  TokenOwner,
  TokenRevocation,
} from '../account.ts';
import type { Administration } from '../administration.ts';
import type { Blocks } from '../blocks.ts';
import { addAccount, deleteAccount } from '../decide/accounts.ts';
import { addLink } from '../decide/add-link.ts';
import type { AliasState } from '../decide/aliases.ts';
import { editLink } from '../decide/edit-link.ts';
import { purgeLink } from '../decide/purge-link.ts';
import { takeVisit } from '../decide/take-visit.ts';
import type { StoredDomains } from '../domains.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkEdit,
  LinkPage,
  LinkPurge,
  LinkQuery,
  NewLink,
  PurgeLinkOutcome,
  Replay,
} from '../link.ts';
import { Maintenance } from '../maintenance.ts';
import { BlockTable } from '../records/block-table.ts';
import { monthNumber } from '../records/month.ts';
import type { Store, StoreMetrics, StoreOptions } from '../store.ts';
import type { Statistics, VisitsOf, VisitsOfHour, VisitsPerDay } from '../visits.ts';
import { type AccountRow, fromAccountRow } from './accounts/account-row.ts';
import { Tokens } from './accounts/tokens.ts';
import { readBlocks, readDomains } from './administration/in-memory.ts';
import { PostgresAdministration } from './administration/postgres-administration.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { Changes } from './changes/changes.ts';
import { FIND_BY_IDENTITY } from './changes/facts.ts';
import { Loaded } from './changes/loaded.ts';
import { PostgresCounters } from './counters/postgres-counters.ts';
import { type ConnectionUrl, parseConnectionUrl } from './database/connection-url.ts';
import { DataSize } from './database/data-size.ts';
import { Database } from './database/database.ts';
import { toStoreError } from './database/errors.ts';
import { Hosts } from './database/hosts.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { readOrCreateSecret } from './database/secret.ts';
import { Standby } from './database/standby.ts';
import { Timelines } from './database/timelines.ts';
import { WriteCheck } from './database/write-check.ts';
import { HitCounter } from './links/hit-counter.ts';
import { LinkFinder } from './links/link-finder.ts';
import { LinkLists } from './links/link-lists.ts';
import { eraseDeleted } from './maintenance/erase-deleted.ts';
import { maintain } from './maintenance/maintain.ts';
import { VisitStatistics } from './statistics/visit-statistics.ts';

const COUNT_LINKS = `SELECT coalesce((months->>$2)::bigint, 0) + coalesce((besides->>$2)::bigint, 0) AS month,
      total, imported + coalesce((besides->>'imports')::bigint, 0) AS imported
    FROM accounts WHERE id = $1`;

/**
 * Opens the store in a PostgreSQL database, whose tables are created if they do not exist.
 *
 * @param url see `parseConnectionUrl`
 * @param readUrl a standby of it that is asked for links while it cannot be reached
 * @throws StoreOpenError if the database cannot be used; its message does not contain the password
 */
export async function openPostgresStore(
  url: string,
  options: StoreOptions,
  readUrl?: string,
): Promise<Store> {
  const connection = parseConnectionUrl(url);
  const readConnection =
    readUrl === undefined ? undefined : parseConnectionUrl(readUrl, 'STORE_READ_URL');
  await prepareDatabase(connection);
  const store = new PostgresStore(connection, options, readConnection);
  await store.open();
  return store;
}

/** Composes the parts, each of which has its own folder. */
class PostgresStore implements Store {
  readonly counters: PostgresCounters;
  readonly administration: Administration;
  readonly #database: Database;
  readonly #standby: Standby | undefined;
  readonly #feed: ChangeFeed;
  readonly #changes: Changes;
  readonly #writeCheck: WriteCheck;
  readonly #size: DataSize;
  readonly #hits: HitCounter;
  readonly #finder: LinkFinder;
  readonly #lists: LinkLists;
  readonly #statistics: VisitStatistics;
  readonly #tokens: Tokens;
  readonly #blocks: Loaded<Blocks>;
  readonly #domains: Loaded<StoredDomains>;
  readonly #maintain: (isClosed: () => boolean) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #maintenance: Maintenance | undefined;
  /** Of links of deleted accounts. Maintenance goes on with it if it fails. */
  #erasing = Promise.resolve();
  #isClosed = false;

  constructor(url: ConnectionUrl, { clock, onError }: StoreOptions, readUrl?: ConnectionUrl) {
    const hosts = new Hosts(url, 'primary', new Timelines(onError));
    const database = new Database(hosts, url.poolSize, onError);
    const feed = new ChangeFeed(hosts, onError);
    const changes = new Changes(database, feed);
    this.#database = database;
    this.#standby = readUrl && new Standby(readUrl, onError);
    this.counters = new PostgresCounters(database, clock);
    this.#feed = feed;
    this.#changes = changes;
    this.#writeCheck = new WriteCheck(database, () => feed.isUpToDate);
    this.#size = new DataSize(database, onError);
    this.#hits = new HitCounter(database, onError);
    this.#finder = new LinkFinder(database, feed, this.#hits, this.#standby);
    this.#lists = new LinkLists(database, this.#hits);
    this.#statistics = new VisitStatistics(database, clock);
    this.#tokens = new Tokens(database, feed, changes, onError);
    this.#blocks = new Loaded<Blocks>(
      feed,
      new BlockTable(),
      (change) => change.blocks,
      () => readBlocks(database),
    );
    this.#domains = new Loaded<StoredDomains>(
      feed,
      new Map(),
      (change) => change.domains,
      () => readDomains(database),
    );
    this.administration = new PostgresAdministration({
      ...{ database, changes, finder: this.#finder, lists: this.#lists },
    });
    this.#onError = onError;
    const parts = { database, hosts, changes, clock, onError };
    this.#maintain = (isClosed) => maintain(parts, isClosed);
  }

  async open(): Promise<void> {
    try {
      // First, so that no change after what is loaded is missed.
      await this.#feed.open();
      await Promise.all([this.#blocks.load(), this.#domains.load(), this.#size.measure()]);
    } catch (error) {
      await this.#closeConnections();
      throw toStoreError(error);
    }
    this.#maintenance = new Maintenance(this.#maintain, HOUR_MS, this.#onError);
  }

  secret(): Promise<Buffer> {
    return readOrCreateSecret(this.#database);
  }

  findToken(tokenHash: string): Promise<TokenOwner | undefined> {
    return this.#tokens.find(tokenHash);
  }

  async findAccountByIdentity(identityHash: string): Promise<Account | undefined> {
    const [row] = await this.#database.read<AccountRow>(FIND_BY_IDENTITY, [[identityHash]]);
    return row && fromAccountRow(row);
  }

  addAccount(account: Account): Promise<Account> {
    return this.#changes.make(addAccount(account));
  }

  findLink(alias: string): Promise<Link | undefined> {
    return this.#finder.find(alias);
  }

  knownLink(alias: string): Link | undefined {
    return this.#finder.known(alias);
  }

  isAliasFree(alias: string, accountId?: string): Promise<boolean> {
    return this.#finder.isAliasFree(alias, accountId);
  }

  aliasStates(aliases: readonly string[], accountId: string): Promise<AliasState[]> {
    return this.#finder.aliasStates(aliases, accountId);
  }

  findImportKeys(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    return this.#finder.findImportKeys(accountId, keys);
  }

  async countLinks(accountId: string, time: number): Promise<LinkCounts> {
    const values = [accountId, String(monthNumber(time))];
    const [counts] = await this.#database.read<LinkCounts>(COUNT_LINKS, values);
    return counts ?? { month: 0, total: 0, imported: 0 };
  }

  findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    return this.#finder.findReplay(keyHash, now);
  }

  /** Each alias in a change of its own, since nearly always the first one is available. */
  async addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    for (const alias of newLink.aliases) {
      const outcome = await this.#changes.make(addLink({ ...newLink, aliases: [alias] }));
      if (outcome.kind !== 'alias_taken') return outcome;
    }
    return { kind: 'alias_taken' };
  }

  async editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    const outcome = await this.#changes.make(editLink(edit));
    return 'link' in outcome ? { ...outcome, link: this.#hits.withHits(outcome.link) } : outcome;
  }

  purgeLink(purge: LinkPurge): Promise<PurgeLinkOutcome> {
    return this.#changes.make(purgeLink(purge));
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#lists.page(query);
  }

  countTags(accountId: string, limit: number): Promise<TagCount[]> {
    return this.#lists.tags(accountId, limit);
  }

  countHit(linkId: string): void {
    this.#hits.count(linkId);
  }

  async takeVisit(linkId: string): Promise<boolean> {
    // Hits from before the link had a limit.
    await this.#hits.settle(linkId);
    const { isTaken, hits } = await this.#changes.make({
      needs: () => ({ visitedLinks: [linkId] }),
      decide: (view) => {
        const link = view.get('link', linkId);
        const { outcome: isTaken, records } = takeVisit(link);
        // The next one may be decided in the same transaction.
        if (link && isTaken) link.hits++;
        return { outcome: { isTaken, hits: link?.hits ?? 0 }, records };
      },
    });
    this.#hits.noteWritten(linkId, hits);
    return isTaken;
  }

  addVisits(visits: VisitsOfHour[]): Promise<void> {
    return this.#statistics.add(visits);
  }

  readStatistics(of: VisitsOf): Promise<Statistics> {
    return this.#statistics.read(of);
  }

  readVisitsPerDay(linkIds: readonly string[], from: number): Promise<VisitsPerDay> {
    return this.#statistics.readPerDay(linkIds, from);
  }

  listTokens(accountId: string): Promise<Token[]> {
    return this.#tokens.list(accountId);
  }

  addToken(newToken: NewToken): Promise<AddTokenOutcome> {
    return this.#tokens.add(newToken);
  }

  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return this.#tokens.revoke(revocation);
  }

  markTokenUsed(token: Pick<Token, 'id' | 'accountId'>, time: number): void {
    this.#tokens.markUsed(token, time);
  }

  async deleteAccount(deletion: AccountDeletion): Promise<void> {
    await this.#changes.make(deleteAccount(deletion));
    this.#erasing = this.#erasing
      .then(() => eraseDeleted(this.#database, () => this.#isClosed))
      .catch(this.#onError);
  }

  get blocks(): Blocks {
    return this.#blocks.current;
  }

  get domains(): StoredDomains {
    return this.#domains.current;
  }

  checkWritable(): Promise<void> {
    return this.#writeCheck.check();
  }

  metrics(): StoreMetrics {
    return {
      pendingChanges: this.#changes.pendingCount,
      failedWrites: this.#database.failedWrites,
      syncs: this.#database.syncs,
      dataBytes: this.#size.bytes,
      journalBytes: 0,
      compactions: { completed: 0, failed: 0 },
    };
  }

  async close(): Promise<void> {
    try {
      this.#isClosed = true;
      await Promise.all([this.#maintenance?.close(), this.#erasing]);
      await Promise.all([this.#hits.close(), this.#tokens.close()]);
    } finally {
      await this.#closeConnections();
    }
  }

  async #closeConnections(): Promise<void> {
    await this.#feed.close();
    await this.#standby?.close();
    await this.#database.close();
  }
}
