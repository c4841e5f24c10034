import type { AtEnd } from '../../support/new-folder.ts';
import { databaseData } from './database-data.ts';
import { folderData } from './folder-data.ts';

/** The data of a server under test, removed at the end. */
export type TestData = {
  /** For `STORE_URL`. */
  url: string;
  read: () => Promise<StoredData>;
  /** Makes the data unusable for the server, as if the disk or the database were gone. */
  takeAway: () => Promise<void>;
  bringBack: () => Promise<void>;
  /** Whether the server may report errors that belong to no request. */
  wasTakenAway: () => boolean;
};

/** What is stored. */
export type StoredData = {
  /** All of it, to look for what must not be there. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: as stored, whatever the format
  links: any[];
  // biome-ignore lint/suspicious/noExplicitAny: as stored, whatever the format
  accounts: any[];
  /** The idempotency keys. */
  idempotency: unknown[];
};

/** Whether this run of the tests uses PostgreSQL instead of folders. See vitest.config.ts. */
export const USES_POSTGRES = process.env.TEST_STORE === 'postgres';

/** Creates a place for the data of one server: a folder or a database. */
export function newTestData(atEnd?: AtEnd): Promise<TestData> {
  return USES_POSTGRES ? databaseData(atEnd) : folderData(atEnd);
}
