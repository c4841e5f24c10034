import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClientBase, DatabaseError } from 'pg';
import { VERSION } from '../../../lib/shipped-files.ts';
import { StoreOpenError } from '../../store.ts';

const FOLDER = join(import.meta.dirname, '../migrations');

/** What brings the tables from one version to the next: `001-tables` and its SQL, which runs in a transaction. */
export type Migration = { name: string; sql: string };

/** All migrations of this version, numbered from 1 without gaps. */
export const MIGRATIONS: readonly Migration[] = readdirSync(FOLDER)
  .sort()
  .map((file) => ({ name: basename(file, '.sql'), sql: readFileSync(join(FOLDER, file), 'utf8') }));

/** Servers that start at once migrate one after the other. A number that other programs hardly use. */
const LOCK = 0x63_75_72_74;

/** The last thing that a migration, and a restore of a backup, makes. */
const IS_COMPLETE = `SELECT FROM pg_trigger
    WHERE tgname = 'count_edited_tags' AND tgrelid = to_regclass('links')`;
/** What no other program has. */
const HAS_OWN_TABLE = `SELECT FROM pg_attribute WHERE (attrelid, attname) IN (
      (to_regclass('curt_migrations'), 'fingerprint'), (to_regclass('accounts'), 'identity_hash'),
      (to_regclass('account_tags'), 'folded'), (to_regclass('aliases'), 'link_id')
    )`;

const IS_PARTIAL =
  'The database in STORE_URL has only a part of Curt’s tables: a backup was not restored to its end. Restore it again, into an empty database, and start again.';

/** SQLSTATE codes. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const INSUFFICIENT_PRIVILEGE = '42501';
/** A table, a function or a trigger exists. */
const DUPLICATES = ['42P07', '42723', '42710'];

/**
 * Brings the tables of the database to the version of this program, in one transaction: if it fails, it
 * leaves nothing. On a database that is up to date, it only reads.
 *
 * @param client a connection that nobody else uses, without a time limit for queries: a migration may
 * take minutes, and others wait for it
 * @param migrations all of them
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError if the database has tables of another version or another program, or if the role may
 * not create tables
 */
export async function migrate(client: ClientBase, migrations = MIGRATIONS): Promise<string[]> {
  try {
    const isDue = (await missing(client, migrations)).length > 0;
    const applied = isDue ? await applyMissing(client, migrations) : [];
    await assertComplete(client);
    return applied;
  } catch (error) {
    throw await explained(error, client);
  }
}

/**
 * Returns the names of the migrations that the database needs. Changes nothing.
 *
 * @throws StoreOpenError as `migrate` does
 */
export async function missingMigrations(
  client: ClientBase,
  migrations = MIGRATIONS,
): Promise<string[]> {
  try {
    const names = (await missing(client, migrations)).map(({ name }) => name);
    if (names.length < migrations.length) await assertComplete(client);
    return names;
  } catch (error) {
    throw await explained(error, client);
  }
}

/** @throws StoreOpenError if the database is not up to date. Changes nothing. */
export async function assertMigrated(client: ClientBase): Promise<void> {
  if ((await missingMigrations(client)).length === 0) return;
  throw new StoreOpenError(
    'The database has no data of Curt, or that of an older version. For an older one, run "curt migrate" with its STORE_URL first.',
  );
}

async function assertComplete(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(IS_COMPLETE);
  if (rowCount === 0) throw new StoreOpenError(IS_PARTIAL);
}

/** Nothing if another server has just done it. */
async function applyMissing(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<string[]> {
  // What another server committed while this one waited for the lock must be visible.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const names: string[] = [];
    for (const migration of await missing(client, migrations)) {
      const { name, sql } = migration;
      await client.query(sql);
      await client.query(
        `INSERT INTO curt_migrations (number, name, fingerprint, version, applied)
         VALUES ($1, $2, $3, $4, now())`,
        [Number.parseInt(name, 10), name, fingerprint(migration), VERSION],
      );
      names.push(name);
    }
    await client.query('COMMIT');
    return names;
  } catch (error) {
    // If the connection is lost, this fails too; the first error says why.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The migrations that were not applied yet, in their order. */
async function missing(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const applied = await readApplied(client);
  const last = applied.at(-1);
  if (last && last.number > migrations.length) {
    const author = last.version ? `Curt ${last.version}` : 'A newer version of Curt';
    throw new StoreOpenError(
      `${author} has changed the tables of the database: it is at migration ${last.number}, and this is Curt ${VERSION}, which knows ${migrations.length}. Nothing was changed. Start that version or a later one, or restore a backup from before the upgrade.`,
      { reason: 'newer' },
    );
  }
  const changed = migrations.find((migration, index) => {
    const { fingerprint: old } = applied[index] ?? {};
    return old !== undefined && old !== fingerprint(migration);
  });
  if (changed === undefined) return migrations.slice(last?.number ?? 0);
  throw new StoreOpenError(
    `The database in STORE_URL has other tables than those of Curt ${VERSION}: "${changed.name}" has changed since it was applied, as it did until version 1.0. Nothing was changed. Start the version that created them, export its links there (curt export), and import them with this version (curt import) into an empty database.`,
  );
}

/** What a migration does, whatever its comments, line breaks and indents are. */
function fingerprint({ sql }: Migration): string {
  return hash('sha256', sql.replace(/--.*/g, '').replace(/\s+/g, ' '));
}

type Applied = { number: number; fingerprint: string | null; version: string | null };

/** The migrations that were applied; none in an empty database. */
async function readApplied(client: ClientBase): Promise<Applied[]> {
  await assertSchema(client);
  // Not by `to_regclass`: in a transaction, it may miss a table that another server has just created.
  const { rowCount } = await client.query(
    `SELECT FROM pg_tables WHERE tablename = 'curt_migrations' AND schemaname = ANY (current_schemas(false))`,
  );
  if (rowCount === 0) return [];
  // Other versions may have other columns.
  const { rows } = await client.query<Applied>(
    `SELECT number, to_json(m)->>'fingerprint' AS fingerprint, to_json(m)->>'version' AS version
     FROM curt_migrations AS m ORDER BY number`,
  );
  return rows;
}

/** @throws StoreOpenError if no schema in which tables would be looked for exists, and can be used */
async function assertSchema(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ path: string }>(
    `SELECT current_setting('search_path') AS path WHERE current_schema() IS NULL`,
  );
  if (!rows[0]) return;
  throw new StoreOpenError(
    `The role in STORE_URL can use no schema of its search_path (${rows[0].path}). Create one with CREATE SCHEMA, grant USAGE and CREATE on it to the role, or correct search_path: in STORE_URL (options=-csearch_path%3Dcurt), with ALTER ROLE or with ALTER DATABASE.`,
  );
}

async function explained(error: unknown, client: ClientBase): Promise<unknown> {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === INSUFFICIENT_PRIVILEGE) {
    return new StoreOpenError(
      `The role in STORE_URL may not create or read Curt's tables (${error.message}). Run "curt migrate" with the STORE_URL of a role that may create tables, and grant this role the rights that docs/postgresql.md lists.`,
      { cause: error },
    );
  }
  if (DUPLICATES.includes(error.code ?? '')) {
    const { rowCount } = await client.query(HAS_OWN_TABLE);
    if (rowCount) return new StoreOpenError(IS_PARTIAL, { cause: error });
    return new StoreOpenError(
      `The database in STORE_URL has tables of another program (${error.message}). Create an empty database for Curt.`,
      { cause: error },
    );
  }
  return error;
}
