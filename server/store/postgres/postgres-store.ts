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
import { PostgresCounters } from './counters/postgres-counters.ts';
import { type ConnectionUrl, parseConnectionUrl } from './database/connection-url.ts';
import { Database } from './database/database.ts';
import { migrateDatabase } from './database/migrate-database.ts';
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
  return new PostgresStore(connection, options);
}

/** Composes the parts, each of which has its own folder. */
class PostgresStore implements Store {
  readonly counters: PostgresCounters;
  readonly #database: Database;
  readonly #statistics: VisitStatistics;

  constructor(url: ConnectionUrl, { clock, onError }: StoreOptions) {
    this.#database = new Database(url, onError);
    this.#statistics = new VisitStatistics(this.#database, clock);
    this.counters = new PostgresCounters(this.#database, clock);
  }

  secret(): Promise<Buffer> {
    throw new Error('not implemented');
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

  findLink(_alias: string): Promise<Link | undefined> {
    throw new Error('not implemented');
  }

  isAliasFree(_alias: string, _accountId?: string): Promise<boolean> {
    throw new Error('not implemented');
  }

  countLinks(_accountId: string, _time: number): Promise<LinkCounts> {
    throw new Error('not implemented');
  }

  findReplay(_keyHash: string, _now: number): Promise<Replay | undefined> {
    throw new Error('not implemented');
  }

  addLink(_newLink: NewLink): Promise<AddLinkOutcome> {
    throw new Error('not implemented');
  }

  editLink(_edit: LinkEdit): Promise<EditLinkOutcome> {
    throw new Error('not implemented');
  }

  purgeLink(_link: OwnLink): Promise<boolean> {
    throw new Error('not implemented');
  }

  listLinks(_query: LinkQuery): Promise<LinkPage> {
    throw new Error('not implemented');
  }

  countHit(_linkId: string): void {
    throw new Error('not implemented');
  }

  hitCounter(_linkId: string): () => void {
    throw new Error('not implemented');
  }

  takeVisit(_linkId: string): Promise<boolean> {
    throw new Error('not implemented');
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
    throw new Error('not implemented');
  }

  checkWritable(): Promise<void> {
    throw new Error('not implemented');
  }

  metrics(): StoreMetrics {
    throw new Error('not implemented');
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
