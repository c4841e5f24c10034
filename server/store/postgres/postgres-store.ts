import { HOUR_MS } from '../../core/durations.ts';
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
import type { AliasState } from '../decide/alias-state.ts';
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
import type { Store, StoreMetrics, StoreOptions } from '../store.ts';
import type { Statistics, VisitsOfHour } from '../visits.ts';
import { Accounts } from './accounts/accounts.ts';
import { deleteAccount } from './accounts/delete-account.ts';
import { LinkEraser } from './accounts/link-eraser.ts';
import { Tokens } from './accounts/tokens.ts';
import { BlockList } from './administration/block-list.ts';
import { PostgresAdministration } from './administration/postgres-administration.ts';
import { AccountQueue } from './changes/account-queue.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import type { ChangeContext } from './changes/commit-change.ts';
import { DeletedAccounts } from './changes/deleted-accounts.ts';
import { PostgresCounters } from './counters/postgres-counters.ts';
import { type ConnectionUrl, parseConnectionUrl } from './database/connection-url.ts';
import { DataSize } from './database/data-size.ts';
import { Database } from './database/database.ts';
import { toStoreError } from './database/errors.ts';
import { Hosts } from './database/hosts.ts';
import { PendingWrites } from './database/pending-writes.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { readOrCreateSecret } from './database/secret.ts';
import { Timelines } from './database/timelines.ts';
import { WriteCheck } from './database/write-check.ts';
import { HitCounter } from './links/hit-counter.ts';
import { LinkAdder } from './links/link-adder.ts';
import { editLink } from './links/link-editor.ts';
import { LinkFinder } from './links/link-finder.ts';
import { LinkLists } from './links/link-lists.ts';
import { LinkPlaces } from './links/link-places.ts';
import { LinkPurger } from './links/link-purger.ts';
import { LinkReader } from './links/link-reader.ts';
import { VisitTaker } from './links/visit-taker.ts';
import { maintain } from './maintenance/maintain.ts';
import { LogMarks } from './replica/log-marks.ts';
import { Replica } from './replica/replica.ts';
import { VisitStatistics } from './statistics/visit-statistics.ts';

/**
 * Opens the store in a PostgreSQL database, whose tables are created if they do not exist.
 *
 * @param url see `parseConnectionUrl`
 * @param readUrl a standby of it that is asked for links
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
  readonly #database: Database;
  readonly #replica: Replica | undefined;
  readonly #feed: ChangeFeed;
  readonly #writes = new PendingWrites();
  readonly #writeCheck: WriteCheck;
  readonly #size: DataSize;
  readonly #deleted: DeletedAccounts;
  readonly #hits: HitCounter;
  readonly #finder: LinkFinder;
  readonly #lists: LinkLists;
  readonly #adder: LinkAdder;
  readonly #purger: LinkPurger;
  readonly #visits: VisitTaker;
  readonly #statistics: VisitStatistics;
  readonly #context: ChangeContext;
  readonly #accounts: Accounts;
  readonly #tokens: Tokens;
  readonly #eraser: LinkEraser;
  readonly #blocks: BlockList;
  readonly administration: Administration;
  readonly #maintain: (isClosed: () => boolean) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #maintenance: Maintenance | undefined;

  constructor(url: ConnectionUrl, { clock, onError }: StoreOptions, readUrl?: ConnectionUrl) {
    const hosts = new Hosts(url, 'primary', new Timelines(onError));
    const database = new Database(hosts, url.poolSize, onError);
    const marks = readUrl && new LogMarks();
    const feed = new ChangeFeed(hosts, onError, marks);
    if (marks) feed.listen((notice) => marks.note(notice));
    const replica = marks && new Replica(readUrl, marks, onError);
    const reader = new LinkReader(database, feed, replica);
    const queue = new AccountQueue();
    const context = { database, queue, feed };
    const places = new LinkPlaces(database);
    this.#database = database;
    this.#replica = replica;
    this.counters = new PostgresCounters(database, clock);
    this.#feed = feed;
    this.#writeCheck = new WriteCheck(database, () => feed.isUpToDate);
    this.#size = new DataSize(database, onError);
    this.#deleted = new DeletedAccounts(database, feed);
    this.#hits = new HitCounter(database, places, onError);
    this.#finder = new LinkFinder(
      database,
      reader,
      feed,
      this.#deleted,
      this.#hits,
      places,
      onError,
    );
    this.#lists = new LinkLists(database, this.#deleted, this.#hits, this.#finder);
    this.#adder = new LinkAdder(database, queue, ({ alias }) => {
      this.#finder.cache.forget({ aliases: [alias.toLowerCase()] });
    });
    this.#purger = new LinkPurger(context);
    this.#visits = new VisitTaker(database, this.#hits, places);
    this.#statistics = new VisitStatistics(database, clock);
    this.#context = context;
    this.#accounts = new Accounts(context);
    this.#tokens = new Tokens(context, onError);
    this.#eraser = new LinkEraser(database, onError);
    this.#blocks = new BlockList(context);
    this.administration = new PostgresAdministration({
      context,
      accounts: this.#accounts,
      blocks: this.#blocks,
      finder: this.#finder,
      hits: this.#hits,
    });
    this.#onError = onError;
    const parts = { database, hosts, eraser: this.#eraser, purger: this.#purger, clock, onError };
    this.#maintain = (isClosed) => maintain(parts, isClosed);
  }

  async open(): Promise<void> {
    try {
      // First, so that no change after what is loaded is missed.
      await this.#feed.open();
      await Promise.all([this.#deleted.load(), this.#blocks.load(), this.#size.measure()]);
    } catch (error) {
      await this.#feed.close();
      await this.#replica?.close();
      await this.#database.close();
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

  findAccountByIdentity(identityHash: string): Promise<Account | undefined> {
    return this.#accounts.findByIdentity(identityHash);
  }

  addAccount(account: Account): Promise<Account> {
    return this.#writes.track(this.#accounts.add(account));
  }

  findLink(alias: string): Promise<Link | undefined> {
    return this.#finder.find(alias);
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

  countLinks(accountId: string, time: number): Promise<LinkCounts> {
    return this.#accounts.countLinks(accountId, time);
  }

  findReplay(keyHash: string, now: number): Promise<Replay | undefined> {
    return this.#finder.findReplay(keyHash, now);
  }

  addLink(newLink: NewLink): Promise<AddLinkOutcome> {
    return this.#writes.track(this.#adder.add(newLink));
  }

  async editLink(edit: LinkEdit): Promise<EditLinkOutcome> {
    const outcome = await this.#writes.track(editLink(this.#context, edit));
    return 'link' in outcome ? { ...outcome, link: this.#finder.withHits(outcome.link) } : outcome;
  }

  purgeLink(link: LinkPurge): Promise<PurgeLinkOutcome> {
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
    return this.#writes.track(this.#statistics.add(visits));
  }

  readStatistics(of: { linkId: string } | { accountId: string }): Promise<Statistics> {
    return this.#statistics.read(of);
  }

  listTokens(accountId: string): Promise<Token[]> {
    return this.#tokens.list(accountId);
  }

  addToken(newToken: NewToken): Promise<AddTokenOutcome> {
    return this.#writes.track(this.#tokens.add(newToken));
  }

  revokeToken(revocation: TokenRevocation): Promise<RevokeTokenOutcome> {
    return this.#writes.track(this.#tokens.revoke(revocation));
  }

  markTokenUsed(token: Pick<Token, 'id' | 'accountId'>, time: number): void {
    this.#tokens.markUsed(token, time);
  }

  async deleteAccount(deletion: AccountDeletion): Promise<void> {
    await this.#writes.track(deleteAccount(this.#context, deletion));
    this.#eraser.start();
  }

  get blocks(): Blocks {
    return this.#blocks.current;
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
      failedWrites: this.#database.failedWrites,
      syncs: this.#database.syncs,
      dataBytes: this.#size.bytes,
      wasteBytes: 0,
      compactions: { completed: 0, failed: 0 },
    };
  }

  async close(): Promise<void> {
    try {
      await Promise.all([this.#maintenance?.close(), this.#eraser.close()]);
      await Promise.all([this.#hits.close(), this.#tokens.close()]);
    } finally {
      await this.#feed.close();
      await this.#replica?.close();
      await this.#database.close();
    }
  }
}
