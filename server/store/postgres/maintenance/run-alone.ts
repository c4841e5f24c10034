import { closeConnection, type Hosts } from '../database/hosts.ts';

/** A number that other programs hardly use. */
const MAINTENANCE_LOCK = 0x63_75_72_76;

/**
 * Runs a task unless another server does it at the moment. The lock belongs to a connection that does
 * nothing else, so that the database releases it if this process ends.
 */
export async function runAlone(hosts: Hosts, task: () => Promise<void>): Promise<void> {
  const client = await hosts.connect({});
  try {
    const { rows } = await client.query<{ is_alone: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS is_alone',
      [MAINTENANCE_LOCK],
    );
    if (rows[0]?.is_alone) await task();
  } finally {
    await closeConnection(client);
  }
}
