import type { Client } from 'pg';
import { HOUR_MS } from '../../../core/durations.ts';
import type {
  CopyProgress,
  CopyRecord,
  CopyRecordKind,
  CopyRecordOf,
  CopySource,
  CopyTarget,
} from '../../copy/copy-record.ts';
import { CopyError } from '../../copy/copy-store.ts';
import { connect } from '../database/connect.ts';
import { parseConnectionUrl } from '../database/connection-url.ts';
import { migrate } from '../database/migrate.ts';
import type { Query } from '../database/statement.ts';
import { assertUnused, readDatabase } from './database-source.ts';
import { writeAccounts, writeTokens } from './write-accounts.ts';
import { writeAudit, writeBlocks, writeSecret } from './write-administration.ts';
import { writeAliases, writeLinks, writeQuotaUse, writeSpentKeys } from './write-links.ts';
import { writeStatistics } from './write-statistics.ts';

/** Two copies at once would both find an empty database. */
const LOCK = 0x63_6f_70_79;

/**
 * Writes a database without data, or goes on with a copy that was interrupted.
 *
 * @param now milliseconds since the epoch
 * @throws StoreOpenError if a server uses the database, if it has data, or if it cannot be written
 */
export async function openDatabaseTarget(url: string, now: number): Promise<CopyTarget> {
  const client = await connect(parseConnectionUrl(url));
  try {
    await migrate(client);
    await assertUnused(client);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rows } = await client.query<CopyProgress>(
      'SELECT started, records, digest FROM copy_progress',
    );
    if (!rows[0]) await assertEmpty(client);
    return new DatabaseTarget(client, rows[0] ?? { started: now, records: 0, digest: '' });
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_used: boolean }>(
    `SELECT EXISTS (SELECT FROM aliases) OR EXISTS (SELECT FROM accounts)
     OR EXISTS (SELECT FROM blocks) OR EXISTS (SELECT FROM audit_log) AS is_used`,
  );
  if (!rows[0]?.is_used) return;
  throw new CopyError('The database has data of Curt already. Create an empty one.');
}

class DatabaseTarget implements CopyTarget {
  readonly done: CopyProgress;
  readonly #client: Client;

  constructor(client: Client, done: CopyProgress) {
    this.#client = client;
    this.done = done;
  }

  async write(records: CopyRecord[], { started, records: count, digest }: CopyProgress) {
    const query: Query = async (statement, values = []) => {
      const named = typeof statement === 'string' ? { text: statement } : statement;
      const { rows } = await this.#client.query({ ...named, values: [...values] });
      return rows;
    };
    const ofKind = <Kind extends CopyRecordKind>(kind: Kind) =>
      records.filter((record): record is CopyRecordOf<Kind> => record.kind === kind);
    await query('BEGIN');
    try {
      await writeSecret(query, ofKind('secret'));
      await writeAccounts(query, ofKind('account'));
      await writeTokens(query, ofKind('token'));
      await writeLinks(query, ofKind('link'));
      await writeAliases(query, ofKind('alias'));
      await writeQuotaUse(query, ofKind('quotaUse'));
      await writeSpentKeys(query, ofKind('spentKey'));
      await writeStatistics(query, ofKind('statistics'), Math.floor(started / HOUR_MS));
      await writeBlocks(query, ofKind('block'));
      await writeAudit(query, ofKind('audit'));
      await query('DELETE FROM copy_progress');
      await query('INSERT INTO copy_progress (started, records, digest) VALUES ($1, $2, $3)', [
        started,
        count,
        digest,
      ]);
      await query('COMMIT');
    } catch (error) {
      // If the connection is lost, this fails too; the first error says why.
      await query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async read(): Promise<CopySource> {
    await this.#client.query('ANALYZE');
    return readDatabase(this.#client, this.done.started, async () => {});
  }

  async finish(): Promise<void> {
    await this.#client.query('DELETE FROM copy_progress');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
