import type { ClientBase } from 'pg';

/** Numbers that other programs hardly use. */
const LOCKS = {
  /** Held by the server that does maintenance. */
  maintenance: 0x63_75_72_76,
  /** Shared by servers, each of which holds it as long as it runs. A copy needs it alone. */
  use: 0x63_6f_70_79,
};

/** Takes an advisory lock until the connection ends, unless another connection has it. */
export async function tryLock(
  client: ClientBase,
  lock: keyof typeof LOCKS,
  { isShared = false } = {},
): Promise<boolean> {
  const suffix = isShared ? '_shared' : '';
  const { rows } = await client.query<{ is_locked: boolean }>(
    `SELECT pg_try_advisory_lock${suffix}($1) AS is_locked`,
    [LOCKS[lock]],
  );
  return rows[0]?.is_locked ?? false;
}
