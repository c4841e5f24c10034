import type {
  Account,
  AddTokenOutcome,
  LinkCounts,
  RevokeTokenOutcome,
  Token,
  TokenOwner,
} from '../account.ts';
import type { Administration } from '../administration.ts';
import type { Blocks } from '../blocks.ts';
import type {
  AddLinkOutcome,
  EditLinkOutcome,
  Link,
  LinkEdit,
  LinkPage,
  LinkQuery,
  NewLink,
  OwnLink,
  Replay,
} from '../link.ts';
import type { Store, StoreMetrics, StoreOptions } from '../store.ts';
import type { Statistics, VisitsOfHour } from '../visits.ts';
import { AccountQueue } from './changes/account-queue.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { DeletedAccounts } from './changes/deleted-accounts.ts';
import { PostgresCounters } from './counters/postgres-counters.ts';
import { type ConnectionUrl, parseConnectionUrl } from './database/connection-url.ts';
import { DataSize } from './database/data-size.ts';
import { Database } from './database/database.ts';
import { Hosts } from './database/hosts.ts';
import { migrateDatabase } from './database/migrate-database.ts';
import { PendingWrites } from './database/pending-writes.ts';
import { readOrCreateSecret } from './database/secret.ts';
import { WriteCheck } from './database/write-check.ts';
import { HitCounter } from './links/hit-counter.ts';
import { LinkAdder } from './links/link-adder.ts';
import { LinkEditor } from './links/link-editor.ts';
import { LinkFinder } from './links/link-finder.ts';
import { LinkLists } from './links/link-lists.ts';
import { LinkPlaces } from './links/link-places.ts';
import { LinkPurger } from './links/link-purger.ts';
import { VisitTaker } from './links/visit-taker.ts';
import { VisitStatistics } from './statistics/visit-statistics.ts';

/**
 * Opens the store in a PostgreSQL database, whose tables are created if they do not exist.
 *
 * @param url see `parseConnectionUrl`
 * @throws StoreOpenError if the database cannot be used; its message does not contain the password
 */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  const connection = parseConnectionUrl(url);
  await migrateDatabase(connection);
  const store = new PostgresStore(connection, options);
  await store.open();
  return store;
}

/** Composes the parts, each of which has its own folder. */
class PostgresStore implements Store {
  readonly counters: PostgresCounters;
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #writes = new PendingWrites();
  readonly #writeCheck: WriteCheck;
  readonly #size: DataSize;
  readonly #deleted: DeletedAccounts;
  readonly #hits: HitCounter;
  readonly #finder: LinkFinder;
  readonly #lists: LinkLists;
  readonly #adder: LinkAdder;
  readonly #editor: LinkEditor;
  readonly #purger: LinkPurger;
  readonly #visits: VisitTaker;
  readonly #statistics: VisitStatistics;

  constructor(url: ConnectionUrl, { clock, onError }: StoreOptions) {
    const hosts = new Hosts(url);
    const database = new Database(hosts, url.poolSize, onError);
    const feed = new ChangeFeed(hosts, onError);
    const queue = new AccountQueue();
    const places = new LinkPlaces(database);
    this.#database = database;
    this.counters = new PostgresCounters(database, clock);
    this.#feed = feed;
    this.#writeCheck = new WriteCheck(database);
    this.#size = new DataSize(database, onError);
    this.#deleted = new DeletedAccounts(database, feed);
    this.#hits = new HitCounter(database, places, onError);
    this.#finder = new LinkFinder(database, feed, this.#deleted, this.#hits, places);
    this.#lists = new LinkLists(database, this.#hits, this.#finder);
    this.#adder = new LinkAdder(database, queue, ({ alias }) => {
      this.#finder.cache.forget({ aliases: [alias.toLowerCase()] });
    });
    this.#editor = new LinkEditor(database, queue, feed);
    this.#purger = new LinkPurger(database, queue, feed);
    this.#visits = new VisitTaker(database, this.#hits, places);
    this.#statistics = new VisitStatistics(database, clock);
  }

  async open(): Promise<void> {
    try {
      // First, so that no change after what is loaded is missed.
      await this.#feed.open();
      await Promise.all([this.#deleted.load(), this.#size.measure()]);
    } catch (error) {
      await this.#feed.close();
      await this.#database.close();
      throw error;
    }
  }

  secret(): Promise<Buffer> {
    return readOrCreateSecret(this.#database);
  }

  findToken(_tokenHash: string): Promise<TokenOwner | undefined> {
    throw new Error('not implemented');
  }

  findAccountByIdentity(_identityHash: string): Promise<Account | undefined> {
    throw new Error('not implemented');
  }

  addAccount(_account: Account): Promise<Account> {
    throw new Error('not implemented');
  }

  findLink(alias: string): Promise<Link | undefined> {
    return this.#finder.find(alias);
  }

  isAliasFree(alias: string, accountId?: string): Promise<boolean> {
    return this.#finder.isAliasFree(alias, accountId);
  }

  countLinks(_accountId: string, _time: number): Promise<LinkCounts> {
    throw new Error('not implemented');
  }

  findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    return this.#finder.findReplay(keyHash, now);
  }

  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    return this.#writes.track(this.#adder.add(newLink));
  }

  editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    return this.#writes.track(this.#editor.edit(edit));
  }

  purgeLink(link: OwnLink): Promise<boolean> {
    return this.#writes.track(this.#purger.purge(link));
  }

  listLinks(query: LinkQuery): Promise<LinkPage> {
    return this.#lists.page(query);
  }

  countHit(linkId: string): void {
    this.#hits.count(linkId);
  }

  hitCounter(linkId: string): () => void {
    return this.#hits.counterOf(linkId);
  }

  takeVisit(linkId: string): Promise<boolean> {
    return this.#writes.track(this.#visits.take(linkId));
  }

  addVisits(visits: VisitsOfHour[]): Promise<void> {
    return this.#statistics.add(visits);
  }

  readStatistics(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    return this.#statistics.read(of);
  }

  listTokens(_accountId: string): Promise<Token[]> {
    throw new Error('not implemented');
  }

  addToken(_token: Token): Promise<AddTokenOutcome> {
    throw new Error('not implemented');
  }

  revokeToken(
    _token: Pick<Token, 'id' | 'accountId'>,
    _evenIfLast: boolean,
  ): Promise<RevokeTokenOutcome> {
    throw new Error('not implemented');
  }

  markTokenUsed(_token: Pick<Token, 'id' | 'accountId'>, _time: number): void {
    throw new Error('not implemented');
  }

  deleteAccount(_accountId: Account['id']): Promise<void> {
    throw new Error('not implemented');
  }

  get blocks(): Blocks {
    throw new Error('not implemented');
  }

  get administration(): Administration {
    throw new Error('not implemented');
  }

  get changeCount(): number {
    return this.#feed.changeCount;
  }

  checkWritable(): Promise<void> {
    return this.#writeCheck.check();
  }

  metrics(): StoreMetrics {
    return {
      pendingChanges: this.#writes.count,
      failedWrites: this.#writes.failed,
      syncs: this.#database.syncs,
      dataBytes: this.#size.bytes,
      wasteBytes: 0,
      compactions: { completed: 0, failed: 0 },
    };
  }

  async close(): Promise<void> {
    try {
      await this.#hits.close();
    } finally {
      await this.#feed.close();
      await this.#database.close();
    }
  }
}
