import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../migrations');

export type Migration = {
  /** From 1, without gaps. */
  number: number;
  /** Such as `001-tables`. */
  name: string;
  sql: string;
};

/** The migrations that ship with this program, in their order. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{3}-.*\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 3)),
      name: file.slice(0, -'.sql'.length),
      sql: readFileSync(join(FOLDER, file), 'utf8'),
    }));
}
