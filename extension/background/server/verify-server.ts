import type { Client } from '../../../shared/client.ts';
import type { HealthResponse } from '../../../shared/health.ts';
import type { Failure } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import { knownServers } from '../../storage/items.ts';
import { refreshDomains } from './domains.ts';
import { respondsAtAll } from './probe.ts';

/**
 * Verifies that an origin is a Curt server before any URL is sent to it. Calls the server once per
 * browser session.
 */
export async function verifyServer(
  origin: string,
  client: Client,
): Promise<{ ok: true } | Failure> {
  const isErased = watchErasing();
  if (await isVerified(origin)) return { ok: true };
  const health = await client.health();
  if (!health.ok) {
    // Another program, or a proxy's error page while the server is down.
    const isHidden = health.code === 'unreachable' && (await respondsAtAll(origin));
    return isHidden ? { ...health, code: 'unreadable_answer' } : health;
  }
  await rememberServer(origin, health.data, isErased);
  void refreshDomains(origin, client);
  return { ok: true };
}

/** Whether `verifyServer` needs no call. */
export async function isVerified(origin: string): Promise<boolean> {
  return origin in (await knownServers.read());
}

/**
 * Call after a server has said that it is Curt.
 *
 * @param isErased whether the data has been erased since it was called
 */
export async function rememberServer(
  origin: string,
  { hasDomains }: HealthResponse,
  isErased: () => boolean,
): Promise<void> {
  const server = { hasDomains: hasDomains ?? false };
  await knownServers.update((known) => ({ ...known, [origin]: server }), isErased);
}

/** Call after a response that did not come from Curt, so that the origin is verified again. */
export async function invalidateServer(origin: string): Promise<void> {
  await knownServers.deleteEntry(origin);
}
