import type { Query } from '../database/statement.ts';

/** Of a lock of the database. A number that other programs hardly use. */
const VISITS_LOCK = 0x63_75_72_75;

const SHARE = `SELECT pg_advisory_xact_lock_shared(${VISITS_LOCK})`;
const LOCK = `SELECT pg_advisory_xact_lock(${VISITS_LOCK})`;

/**
 * To be called at the start of a transaction that adds rows of visits, before it reads which links there
 * are: none of them is erased before it ends.
 */
export async function keepVisitedLinks(query: Query): Promise<void> {
  await query(SHARE);
}

/**
 * To be called in a transaction that erases rows of visits, before it does: waits for the transactions
 * that add some for links that they have found, and later ones find that the links are gone.
 */
export async function waitForAddedVisits(query: Query): Promise<void> {
  await query(LOCK);
}
