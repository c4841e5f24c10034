import type { Administration, AuditEntry } from '../../administration.ts';
import type { Database } from '../database/database.ts';
import { parseNumber } from './all-accounts.ts';

const ADD = `INSERT INTO audit_log (entry) SELECT entry::json
    FROM unnest($1::text[]) WITH ORDINALITY AS each (entry, index) ORDER BY index`;
const LIST = `SELECT number, entry FROM audit_log WHERE $1::bigint IS NULL OR number < $1
    ORDER BY number DESC LIMIT $2`;

type AuditLog = Pick<Administration, 'addAuditEntry' | 'listAuditEntries'>;

/** What administrators did. */
export function auditLog(database: Database): AuditLog {
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
        await database.write(ADD, [together.map(({ entry }) => entry)]);
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
