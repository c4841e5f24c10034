import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClientBase, DatabaseError } from 'pg';
import { StoreOpenError } from '../../store.ts';

const FOLDER = join(import.meta.dirname, '../migrations');
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
const EXPORT =
  'export its links there (curt export), and import them with this version (curt import)';

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
 * @returns the names of the migrations that were applied
 * @throws StoreOpenError if the database has tables of another version or another program, or if the role may
 * not create tables
 */
export async function migrate(client: ClientBase): Promise<string[]> {
  try {
    const applied = (await missing(client)).length > 0 ? await applyMissing(client) : [];
    await assertComplete(client);
    return applied;
  } catch (error) {
    throw await explained(error, client);
  }
}

/** @throws StoreOpenError if the database is not up to date. Changes nothing. */
export async function assertMigrated(client: ClientBase): Promise<void> {
  const files = await missing(client).catch(async (error) => {
    throw await explained(error, client);
  });
  if (files.length === 0) return assertComplete(client);
  throw new StoreOpenError(
    'The database has no data of Curt, or that of an older version. For an older one, run "curt migrate" with its STORE_URL first.',
  );
}

async function assertComplete(client: ClientBase): Promise<void> {
  const { rowCount } = await client.query(IS_COMPLETE);
  if (rowCount === 0) throw new StoreOpenError(IS_PARTIAL);
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
    `The database in STORE_URL has the tables of another version of Curt: "${nameOf(changed)}" has changed since it was applied. Nothing is damaged, and nothing was changed: formats change until the first release. Start the version that created them, ${EXPORT} into an empty database.`,
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
  await assertSchema(client);
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
