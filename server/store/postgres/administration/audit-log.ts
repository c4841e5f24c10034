import type { AuditEntry, AuditPage, AuditQuery } from '../../administration.ts';
import type { Database } from '../database/database.ts';
import { parseNumber } from './all-accounts.ts';

const ADD = 'INSERT INTO audit_log (entry) VALUES ($1)';
const LIST = `SELECT number, entry FROM audit_log WHERE $1::bigint IS NULL OR number < $1
    ORDER BY number DESC LIMIT $2`;

/** What administrators did. */
export class AuditLog {
  readonly #database: Database;
  #adding: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** See `Administration.addAuditEntry`. Entries of this process are in the order of the calls. */
  async add(entry: AuditEntry): Promise<void> {
    const add = () => this.#database.write(ADD, [JSON.stringify(entry)]);
    const added = this.#adding.then(add, add);
    this.#adding = added;
    await added;
  }

  /** See `Administration.listAuditEntries`. */
  async list({ limit, after }: AuditQuery): Promise<AuditPage> {
    const before = after === null ? null : parseNumber(after);
    type Row = { number: number; entry: AuditEntry };
    // One more, to know whether there are more.
    const rows = await this.#database.read<Row>(LIST, [before, limit + 1]);
    const page = rows.slice(0, limit);
    return {
      entries: page.map(({ entry }) => entry),
      next: rows.length > limit ? String(page.at(-1)?.number) : null,
      damagedLines: 0,
    };
  }
}
