import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** A database with Curt's tables and without rows. */
export const TEMPLATE = 'curt_template';

type DatabaseOptions = {
  /** Whether it has Curt's tables. @default true */
  migrated?: boolean;
};

/** Creates a database that is dropped after the test, and returns its URL. */
export async function newDatabase({ migrated = true }: DatabaseOptions = {}): Promise<string> {
  const name = `curt_${randomBytes(8).toString('hex')}`;
  const template = migrated ? TEMPLATE : 'template1';
  // The default strategy logs every page, which takes twice as long.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  // With the connections of stores that a test has left open, and of killed servers.
  onTestFinished(() => administer(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Connects to a database until the test ends, beside the stores under test. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  // It is closed by the server if the test stops the server or drops the database.
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
