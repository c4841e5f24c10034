import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClientBase, DatabaseError } from 'pg';
import { StoreOpenError } from '../../store.ts';

const FOLDER = join(import.meta.dirname, '../migrations');
/** Servers that start at once migrate one after the other. A number that other programs hardly use. */
const LOCK = 0x63_75_72_74;

/** SQLSTATE codes. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const INSUFFICIENT_PRIVILEGE = '42501';
const DUPLICATE_TABLE = '42P07';

/**
 * Brings the tables of the database to the version of this program, in one transaction: if it fails, it
 * leaves nothing. On a database that is up to date, it only reads.
 *
 * @param client a connection that nobody else uses, without a time limit for queries: a migration may
 * take minutes, and others wait for it
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError if the database has tables of another version or another program, or if the role may
 * not create tables
 */
export async function migrate(client: ClientBase): Promise<string[]> {
  try {
    return (await missing(client)).length > 0 ? await applyMissing(client) : [];
  } catch (error) {
    throw explained(error);
  }
}

/** @throws StoreOpenError if the database is not up to date. Changes nothing. */
export async function assertMigrated(client: ClientBase): Promise<void> {
  const files = await missing(client).catch((error) => {
    throw explained(error);
  });
  if (files.length === 0) return;
  throw new StoreOpenError(
    'The database has no data of Curt, or that of an older version. For an older one, run "curt migrate" with its STORE_URL first.',
  );
}

/** Nothing if another server has just done it. */
async function applyMissing(client: ClientBase): Promise<string[]> {
  // What another server committed while this one waited for the lock must be visible.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const files = await missing(client);
    for (const file of files) {
      await client.query(sqlOf(file));
      await client.query(
        'INSERT INTO curt_migrations (number, name, fingerprint, applied) VALUES ($1, $2, $3, now())',
        [numberOf(file), nameOf(file), fingerprint(file)],
      );
    }
    await client.query('COMMIT');
    return files.map(nameOf);
  } catch (error) {
    // If the connection is lost, this fails too; the first error says why.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The files that were not applied yet, in their order. */
async function missing(client: ClientBase): Promise<string[]> {
  const applied = await readApplied(client);
  const last = applied.at(-1)?.number ?? 0;
  const files = readdirSync(FOLDER).sort();
  if (last > files.length) {
    throw new StoreOpenError(
      `A newer version of Curt has changed the tables of the database: it is at migration ${last}, and this version knows ${files.length}. Start that version, or restore a backup from before the update.`,
    );
  }
  const changed = files.find((file, index) => {
    const { fingerprint: old } = applied[index] ?? {};
    return old !== undefined && old !== fingerprint(file);
  });
  if (changed === undefined) return files.slice(last);
  throw new StoreOpenError(
    `The database in STORE_URL has the tables of another version of Curt: "${nameOf(changed)}" has changed since it was applied. Start the version that created them, or create an empty database for this one.`,
  );
}

/** Of a file such as `001-tables.sql`. They are numbered from 1, without gaps. */
const numberOf = (file: string) => Number.parseInt(file, 10);
const nameOf = (file: string) => basename(file, '.sql');
const sqlOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** What a migration does, whatever its comments, line breaks and indents are. */
function fingerprint(file: string): string {
  return hash('sha256', sqlOf(file).replace(/--.*/g, '').replace(/\s+/g, ' '));
}

type Applied = { number: number; fingerprint: string | null };

/** The migrations that were applied; none in an empty database. */
async function readApplied(client: ClientBase): Promise<Applied[]> {
  // Not by `to_regclass`: in a transaction, it may miss a table that another server has just created.
  const { rowCount } = await client.query(
    `SELECT FROM pg_tables WHERE tablename = 'curt_migrations' AND schemaname = ANY (current_schemas(false))`,
  );
  if (rowCount === 0) return [];
  // The column is missing in databases of versions that had none.
  const { rows } = await client.query<Applied>(
    `SELECT number, to_json(m)->>'fingerprint' AS fingerprint FROM curt_migrations AS m ORDER BY number`,
  );
  return rows;
}

function explained(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === INSUFFICIENT_PRIVILEGE) {
    return new StoreOpenError(
      `The role in STORE_URL may not create or read Curt's tables (${error.message}). Run "curt migrate" with the STORE_URL of a role that may create tables, and grant this role the rights that docs/postgresql.md lists.`,
      { cause: error },
    );
  }
  if (error.code === DUPLICATE_TABLE) {
    return new StoreOpenError(
      `The database in STORE_URL has tables of another program (${error.message}). Create an empty database for Curt.`,
      { cause: error },
    );
  }
  return error;
}
