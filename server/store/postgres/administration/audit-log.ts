import type { Administration, AuditEntry } from '../../administration.ts';
import type { Database } from '../database/database.ts';
import { parseNumber } from './all-accounts.ts';

const ADD = 'INSERT INTO audit_log (entry) VALUES ($1)';
const LIST = `SELECT number, entry FROM audit_log WHERE $1::bigint IS NULL OR number < $1
    ORDER BY number DESC LIMIT $2`;

type AuditLog = Pick<Administration, 'addAuditEntry' | 'listAuditEntries'>;

/** What administrators did. */
export function auditLog(database: Database): AuditLog {
  /** Entries of this process are in the order of the calls. */
  let adding: Promise<unknown> = Promise.resolve();
  return {
    addAuditEntry: async (entry) => {
      const add = () => database.write(ADD, [JSON.stringify(entry)]);
      const added = adding.then(add, add);
      adding = added;
      await added;
    },
    listAuditEntries: async ({ limit, after }) => {
      const before = after === null ? null : parseNumber(after);
      type Row = { number: number; entry: AuditEntry };
      // One more, to know whether there are more.
      const rows = await database.read<Row>(LIST, [before, limit + 1]);
      const page = rows.slice(0, limit);
      return {
        entries: page.map(({ entry }) => entry),
        next: rows.length > limit ? String(page.at(-1)?.number) : null,
        damagedLines: 0,
      };
    },
  };
}
