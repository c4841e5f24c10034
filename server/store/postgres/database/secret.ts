import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** The name of the data's secret in the table `secrets`. */
export const SECRET_NAME = 'secret';
const BYTES = 32;

const READ_SECRET = 'SELECT value FROM secrets WHERE name = $1';
const ADD_SECRET = 'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING';

/** See `Store.secret`. Servers that start at once agree on one. */
export async function readOrCreateSecret(database: Database): Promise<Buffer> {
  const known = await read(database);
  if (known) return known;
  await database.write(ADD_SECRET, [SECRET_NAME, randomBytes(BYTES)]);
  return (await read(database)) as Buffer;
}

async function read(database: Database): Promise<Buffer | undefined> {
  const [row] = await database.read<{ value: Buffer }>(READ_SECRET, [SECRET_NAME]);
  return row?.value;
}
