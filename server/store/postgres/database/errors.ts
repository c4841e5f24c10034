import { DatabaseError } from 'pg';
import { StoreUnavailableError } from '../../store.ts';

/**
 * SQLSTATE codes, or how they begin, that say nothing about the statement: a later call may succeed.
 */
const UNAVAILABLE = [
  '08', // connection lost
  '25006', // read-only: a standby, or a primary that stopped being one
  '25P03', // this process stopped for a while within a transaction
  '28', // wrong credentials, changed while the server runs
  '3D000', // the database is missing
  '3F000', // the schema is missing
  '40', // serialization failure or deadlock, in spite of retries
  '42501', // rights were taken away
  '42P01', // a table is missing
  '53', // out of disk, memory or connections
  '55000', // accepts no connections
  '55P03', // waited too long for a lock
  '57', // shutting down, starting up, or the time-out of a statement
  '58', // input or output failed
  'XX', // damaged data or a bug of the database
];
/** The connection goes on after all other errors that the database reports. */
const ENDS_CONNECTION = ['08', '25006', '25P03', '57P', '58', 'XX'];
/** The transaction failed only because of others: a deadlock, or a new row that another one has added. */
const CONFLICTS = ['40001', '40P01', '23505'];

/** Whether a transaction should be repeated. Nothing of it was stored. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, CONFLICTS);
}

/** Whether the database allows no further connection, of this role or at all. */
export function isFull(error: unknown): boolean {
  return hasCode(error, ['53300']);
}

/** Whether the database gave up a statement that took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof StoreUnavailableError && hasCode(error.cause, ['57014']);
}

/** Whether the connection cannot be used after an error of the driver. */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || hasCode(error, ENDS_CONNECTION);
}

/** Returns what a caller of the store gets for an error of the driver: of the database, or of a connection. */
export function toStoreError(error: unknown): unknown {
  // The driver throws other classes for wrong arguments.
  const isOfConnection =
    error instanceof AggregateError || (error instanceof Error && error.constructor === Error);
  if (!isOfConnection && !hasCode(error, UNAVAILABLE)) return error;
  return new StoreUnavailableError(
    `The database cannot be used at the moment: ${reasonOf(error)}.`,
    { cause: error },
  );
}

/**
 * Returns the reason without the password, such as `connect ECONNREFUSED 127.0.0.1:5432` or what the database
 * answers.
 */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof StoreUnavailableError ? error : { cause: undefined };
  if (cause !== undefined) return reasonOf(cause);
  // For a name with several addresses.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return String(first);
  return first.message || String((first as { code?: string }).code ?? first.name);
}

function hasCode(error: unknown, beginnings: string[]): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return beginnings.some((beginning) => error.code?.startsWith(beginning));
}
