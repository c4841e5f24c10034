import { RESTORABLE_MS } from '../../../shared/bounds.ts';
import { systemTime } from '../../../shared/time.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { LinkCounts } from '../account.ts';
import type { AddLinkOutcome } from '../link-calls.ts';
import { Maintenance } from '../maintenance.ts';
import { plainChanges } from '../plain-changes.ts';
import { deleteAccount } from '../rules/accounts.ts';
import { addLink } from '../rules/add-link.ts';
import { countVisit } from '../rules/edit-link.ts';
import { monthNumber } from '../rules/quota.ts';
import { certainTime } from '../rules/uptime.ts';
import { type Store, StoreOpenError, type StoreOptions } from '../store.ts';
import { Tokens } from './accounts/tokens.ts';
import { LoadedTables } from './administration/loaded-tables.ts';
import { postgresAdministration } from './administration/postgres-administration.ts';
import { ChangeTransactions } from './changes/change-transactions.ts';
import { FIND_BY_IDENTITY } from './changes/locked-facts.ts';
import { postgresCounters } from './counters/postgres-counters.ts';
import { tryLock, withConnection } from './database/connect.ts';
import {
  type ConnectionUrl,
  parseConnectionUrl,
  withCurrentUser,
} from './database/connection-url.ts';
import { dataSize } from './database/data-size.ts';
import { Database } from './database/database.ts';
import { toStoreError } from './database/errors.ts';
import { Hosts, Timelines } from './database/hosts.ts';
import { MIGRATIONS, migrate } from './database/migrate.ts';
import { readOrCreateSecret } from './database/secret.ts';
import { HitCounter } from './links/hit-counter.ts';
import { LinkCache } from './links/link-cache.ts';
import { linkFinder, lookUp, Standby } from './links/link-finder.ts';
import { LinkLists } from './links/link-lists.ts';
import { eraseDeleted, maintain } from './maintenance/maintain.ts';
import { type AccountRow, fromAccountRow } from './rows.ts';
import { visitStatistics } from './statistics/visit-statistics.ts';

const COUNT_LINKS = `SELECT coalesce((quotas->>$2)::bigint, 0) AS month, total,
      coalesce((quotas->>'imports')::bigint, 0) AS imported
    FROM accounts WHERE id = $1`;

const OVERVIEW = `SELECT current_database() AS name, coalesce(sum(total), 0)::bigint AS links,
    count(*) AS accounts FROM accounts`;

/** See `openPostgresStore`. */
export type StoreUrls = { url: string; readUrl?: string | undefined };

/**
 * Opens the store in a PostgreSQL database, whose tables are created if they do not exist.
 *
 * @param url see `parseConnectionUrl`
 * @param readUrl a standby of it that is asked for links while it cannot be reached
 * @param readAgain returns both as they are now, for new connections: a password may have been replaced
 * @param migrations all of this version, as a parameter so that tests can have later ones
 * @throws StoreOpenError if the database cannot be used; its message does not contain the password
 */
export async function openPostgresStore(
  url: string,
  options: StoreOptions,
  readUrl?: string,
  readAgain: () => StoreUrls = () => ({ url, readUrl }),
  migrations = MIGRATIONS,
): Promise<Store> {
  const connection = withCurrentUser(parseConnectionUrl(url), () => readAgain().url);
  const readConnection =
    readUrl === undefined
      ? undefined
      : withCurrentUser(
          parseConnectionUrl(readUrl, 'STORE_READ_URL'),
          () => readAgain().readUrl,
          'STORE_READ_URL',
        );
  return withConnection(connection, async (client) => {
    await migrate(client, migrations);
    if (!(await tryLock(client, { isShared: true }))) throw new StoreOpenError(IS_COPIED);
    // With the lock, until the store has connections of its own: a copy looks for either.
    return openStore(connection, options, readConnection);
  });
}

const IS_COPIED =
  'The database in STORE_URL is being copied. Start the server when "curt copy" has finished.';

/** Composes the parts, each of which has its own folder. */
async function openStore(
  url: ConnectionUrl,
  { time = systemTime, onError }: StoreOptions,
  readUrl: ConnectionUrl | undefined,
): Promise<Store> {
  const clock = time.now;
  const hosts = new Hosts(url, 'primary', new Timelines(onError));
  const database = new Database(hosts, url.poolSize, onError);
  const standby = readUrl && new Standby(readUrl, onError);
  const size = dataSize(database, onError);
  const hits = new HitCounter(database, onError, time);
  const lists = new LinkLists(database);
  const tokens = new Tokens(database, onError, time);
  const cache = new LinkCache((key) => lookUp(database, key), { time });
  const tables = new LoadedTables(database, time);
  const changes = new ChangeTransactions(database, async (changed) => {
    cache.forget(changed);
    tokens.forget(changed);
    if (changed.hasTables) await tables.load().catch(onError);
  });
  let isClosed = false;
  /** Of links of deleted accounts. Maintenance goes on with it if it fails. */
  let erasing = Promise.resolve();

  const closeConnections = async () => {
    tables.close();
    await standby?.close();
    await database.close();
  };
  try {
    await Promise.all([tables.open(), size.measure()]);
  } catch (error) {
    await closeConnections();
    throw toStoreError(error);
  }
  let uptime: readonly number[] = [];
  const onDays = (days: readonly number[]) => {
    uptime = days;
  };
  const parts = { database, changes, clock, onDays, onError };
  const maintenance = new Maintenance((isOver) => maintain(parts, isOver), HOUR_MS, onError, time);

  return {
    ...plainChanges(changes),
    administration: postgresAdministration(database, changes),
    growsInMemory: false,
    counters: postgresCounters(database, clock),
    ...linkFinder(database, cache, standby),
    ...visitStatistics(database, clock),
    secret: () => readOrCreateSecret(database),
    findToken: (tokenHash) => tokens.find(tokenHash),
    findTokenHash: (start) => tokens.findHash(start),
    findAccountByIdentity: async (identityHash) => {
      const [row] = await database.read<AccountRow>(FIND_BY_IDENTITY, [[identityHash]]);
      return row && fromAccountRow(row);
    },
    countLinks: async (accountId, time) => {
      const values = [accountId, String(monthNumber(time))];
      const [counts] = await database.read<LinkCounts>(COUNT_LINKS, values);
      return counts ?? { month: 0, total: 0, imported: 0 };
    },
    /** Each alias in a change of its own, since nearly always the first one is available. */
    addLink: async (newLink) => {
      let outcome: AddLinkOutcome | undefined;
      for (const alias of newLink.aliases) {
        outcome = await changes.make(addLink({ ...newLink, aliases: [alias] }));
        if (outcome.kind !== 'alias_taken') break;
      }
      return outcome ?? changes.make(addLink({ ...newLink, aliases: [] }));
    },
    listLinks: (query) => lists.page(query),
    countTags: (accountId, limit) => lists.tags(accountId, limit),
    countHit: (linkId) => hits.count(linkId),
    takeVisit: async (linkId) => {
      // Hits from before the link had a limit.
      await hits.settle(linkId);
      return changes.make({
        needs: () => ({ visitedLinks: [linkId] }),
        decide: (facts) => {
          const link = facts.get('link', linkId);
          const { outcome: isTaken, records } = countVisit(link);
          // The next one may be decided in the same transaction.
          if (link && isTaken) link.hits++;
          return { outcome: isTaken, records };
        },
      });
    },
    listTokens: (accountId) => tokens.list(accountId),
    markTokenUsed: (token, time) => tokens.markUsed(token, time),
    deleteAccount: async (deletion) => {
      await changes.make(deleteAccount(deletion));
      erasing = erasing.then(() => eraseDeleted(database, () => isClosed)).catch(onError);
    },
    certainTime: (now) => certainTime(uptime, now, RESTORABLE_MS),
    get blocks() {
      return tables.blocks;
    },
    get domains() {
      return tables.domains;
    },
    checkWritable: () => database.checkWritable(tables.isCurrent),
    metrics: () => ({
      pendingChanges: changes.pendingCount,
      failedWrites: database.failedWrites,
      syncs: database.syncs,
      dataBytes: size.bytes(),
      journalBytes: 0,
      compactions: { completed: 0, failed: 0 },
    }),
    overview: async () => {
      const [row] = await database.read<{ name: string; links: number; accounts: number }>(
        OVERVIEW,
      );
      const { name = '', links = 0, accounts = 0 } = row ?? {};
      const location = `the database "${name}" on ${url.hosts.map((host) => host.name).join(', ')}`;
      return { location, links, isNew: accounts === 0 };
    },
    close: async () => {
      try {
        isClosed = true;
        await Promise.all([maintenance.close(), erasing]);
        await Promise.all([hits.close(), tokens.close()]);
      } finally {
        await closeConnections();
      }
    },
  };
}
