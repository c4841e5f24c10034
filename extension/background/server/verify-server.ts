import type { Client } from '../../../shared/client.ts';
import type { HealthResponse } from '../../../shared/health.ts';
import type { Failure } from '../../messaging/protocol.ts';
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
  if (origin in (await knownServers.read())) return { ok: true };
  const health = await client.health();
  if (!health.ok) {
    // Another program, or a proxy's error page while the server is down.
    const isHidden = health.code === 'unreachable' && (await respondsAtAll(origin));
    return isHidden ? { ...health, code: 'unreadable_answer' } : health;
  }
  await rememberServer(origin, health.data);
  void refreshDomains(origin, client);
  return { ok: true };
}

/** Call after a server has said that it is Curt. */
export async function rememberServer(
  origin: string,
  { hasDomains }: HealthResponse,
): Promise<void> {
  await knownServers.update((known) => ({
    ...known,
    [origin]: { hasDomains: hasDomains ?? false },
  }));
}

/** Call after a response that did not come from Curt, so that the origin is verified again. */
export async function invalidateServer(origin: string): Promise<void> {
  await knownServers.update(({ [origin]: _, ...others }) => others);
}
