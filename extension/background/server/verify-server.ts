import type { Client } from '../../../shared/client.ts';
import type { Failure } from '../../messaging/protocol.ts';
import { knownServers } from '../../storage/items.ts';
import { answersAnybody } from './probe.ts';

/**
 * Makes sure that an origin has said it is Curt before it is sent any address. Asks once a browser
 * session; afterwards it costs a read.
 */
export async function verifyServer(
  origin: string,
  client: Client,
): Promise<{ ok: true } | Failure> {
  if (origin in (await knownServers.read())) return { ok: true };
  const health = await client.health();
  if (!health.ok) {
    // Another program, or the error page of a proxy: nothing has been sent, and Curt may be back.
    const isHidden = health.code === 'unreachable' && (await answersAnybody(origin));
    return isHidden ? { ...health, code: 'unreadable_answer' } : health;
  }
  await knownServers.update((known) => ({ ...known, [origin]: health.data.version }));
  return { ok: true };
}

/** After an answer that was not Curt's: something else may stand there now. */
export async function invalidateServer(origin: string): Promise<void> {
  await knownServers.update(({ [origin]: _, ...others }) => others);
}
