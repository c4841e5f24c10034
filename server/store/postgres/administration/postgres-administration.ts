import { foldSearched } from '../../../../shared/text.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Account } from '../../account.ts';
import {
  type AccountPage,
  type AccountQuery,
  type Administration,
  type AuditEntry,
  type CountsPerDay,
  InvalidPositionError,
} from '../../administration.ts';
import { administrationChanges, type ChangeMaker } from '../../plain-changes.ts';
import type { LinkReports } from '../../reports.ts';
import type { Database } from '../database/database.ts';
import {
  type AccountRow,
  fromAccountRow,
  fromLinkRow,
  type LinkRow,
  type PlainRow,
  STORED_LINK,
  searchable,
} from '../rows.ts';
import { peopleOfAllPerDay } from '../statistics/visit-statistics.ts';

const READ_ACCOUNT = 'SELECT id, account FROM accounts WHERE id = $1';
const FIND_LINK = `SELECT ${STORED_LINK} FROM visible_links WHERE id = $1`;
const OWNER_OF_LINK = 'SELECT account_id FROM visible_links WHERE id = $1';
/** Aliases are sorted by their bytes, and 0 follows the slash. */
const ALIAS_ON_HOST = 'SELECT 1 FROM aliases WHERE key > $1 AND key < $2 LIMIT 1';
const REPORTED_LINKS = 'FROM reports JOIN visible_links ON visible_links.id = key';

/** See `Administration`. */
export function postgresAdministration(database: Database, changes: ChangeMaker): Administration {
  const ownerOf = async (linkId: string): Promise<string | undefined> => {
    const [row] = await database.read<{ account_id: string }>(OWNER_OF_LINK, [linkId]);
    return row?.account_id;
  };
  return {
    ...administrationChanges(changes, ownerOf),
    findAccount: async (id) => {
      const [row] = await database.read<AccountRow>(READ_ACCOUNT, [id]);
      return row && fromAccountRow(row);
    },
    listAccounts: (query) => listAccounts(database, query),
    countPerDay: (from) => countPerDay(database, from),
    hasAliases: async (host) => {
      const rows = await database.read(ALIAS_ON_HOST, [`${host}/`, `${host}0`]);
      return rows.length > 0;
    },
    findLinkById: async (id) => {
      const [row] = await database.read<LinkRow>(FIND_LINK, [id]);
      return row && fromLinkRow(row);
    },
    listReports: async () => {
      const list = `SELECT key, value ${REPORTED_LINKS}`;
      const rows = await database.read<PlainRow<LinkReports>>(list);
      return rows.map(({ key: linkId, value }) => ({ linkId, ...value }));
    },
    countReportedLinks: async () => {
      const count = `SELECT count(*) AS count ${REPORTED_LINKS}`;
      const [row] = await database.read<{ count: number }>(count);
      return row?.count ?? 0;
    },
    ...auditLog(database),
    lastBackup: async () => undefined,
  };
}

const LIST_ACCOUNTS = `SELECT number, id, account FROM accounts
    WHERE account IS NOT NULL AND number < $1 AND position($2 IN search_text) > 0
    ORDER BY number DESC LIMIT $3`;

type Row = AccountRow & { number: number };

/** Lists a page of all accounts, newest first. See `Administration.listAccounts`. */
async function listAccounts(
  database: Database,
  { limit, after, search }: AccountQuery,
): Promise<AccountPage> {
  const text = searchable(foldSearched(search ?? ''));
  const before = after === null ? Number.MAX_SAFE_INTEGER : parseNumber(after);
  // One more, to know whether there are more.
  const rows = await database.readList<Row>(LIST_ACCOUNTS, [before, text, limit + 1]);
  const page = rows.slice(0, limit);
  return {
    accounts: page.flatMap((row): Account[] => [fromAccountRow(row) ?? []].flat()),
    next: rows.length > limit ? String(page.at(-1)?.number) : null,
  };
}

/** Reads a position: the number of the last row of a page. @throws InvalidPositionError */
function parseNumber(position: string): number {
  if (!/^\d{1,15}$/.test(position)) throw new InvalidPositionError();
  return Number(position);
}

const LINKS_PER_DAY = `SELECT created - created % ${DAY_MS} AS day, count(*) AS count
    FROM visible_links WHERE created >= $1 GROUP BY day`;
const ACCOUNTS_PER_DAY = `SELECT created - created % ${DAY_MS} AS day, count(*) AS count
    FROM (SELECT (account ->> 'created')::bigint AS created FROM accounts WHERE account IS NOT NULL)
    AS each WHERE created >= $1 GROUP BY day`;
/** See `Administration.countPerDay`. */
async function countPerDay(database: Database, from: number): Promise<CountsPerDay> {
  const count = async (statement: string) => {
    const rows = await database.read<{ day: number; count: number }>(statement, [from]);
    return new Map(rows.map((row) => [row.day, row.count]));
  };
  return {
    links: await count(LINKS_PER_DAY),
    accounts: await count(ACCOUNTS_PER_DAY),
    visits: await peopleOfAllPerDay(database, from),
  };
}

export const ADD_ENTRIES = `INSERT INTO audit_log (entry) SELECT entry::json
    FROM unnest($1::text[]) WITH ORDINALITY AS each (entry, index) ORDER BY index`;
const LIST_ENTRIES = `SELECT number, entry FROM audit_log WHERE $1::bigint IS NULL OR number < $1
    ORDER BY number DESC LIMIT $2`;

type AuditLog = Pick<Administration, 'addAuditEntry' | 'listAuditEntries'>;

/** Returns what administrators did. */
function auditLog(database: Database): AuditLog {
  type Waiting = { entry: string; added: PromiseWithResolvers<void> };
  let waiting: Waiting[] = [];
  let isAdding = false;

  /** One statement at a time, so that entries of this process are in the order of the calls. */
  const addWaiting = async () => {
    isAdding = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        await database.write(ADD_ENTRIES, [together.map(({ entry }) => entry)]);
        for (const { added } of together) added.resolve();
      } catch (error) {
        // A database that hangs does not make those that came meanwhile wait as long again.
        for (const { added } of [...together, ...waiting.splice(0)]) added.reject(error);
      }
    }
    isAdding = false;
  };

  return {
    addAuditEntry: (entry) => {
      const added = Promise.withResolvers<void>();
      waiting.push({ entry: JSON.stringify(entry), added });
      if (!isAdding) void addWaiting();
      return added.promise;
    },
    listAuditEntries: async ({ limit, after }) => {
      const before = after === null ? null : parseNumber(after);
      type Row = { number: number; entry: AuditEntry };
      // One more, to know whether there are more.
      const rows = await database.read<Row>(LIST_ENTRIES, [before, limit + 1]);
      const page = rows.slice(0, limit);
      return {
        entries: page.map(({ entry }) => entry),
        next: rows.length > limit ? String(page.at(-1)?.number) : null,
        damagedLines: 0,
      };
    },
  };
}
