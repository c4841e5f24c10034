import type { Client, Failure } from '../../../shared/client.ts';
import { knownServers } from '../../storage/items.ts';
import { answersAnybody } from './probe.ts';
import { findToken } from './tokens.ts';

/**
 * Makes sure that an origin has said it is Curt before it is sent any address. Asks once a browser
 * session; afterwards it costs a read.
 */
export async function assureCurt(origin: string, client: Client): Promise<{ ok: true } | Failure> {
  if (origin in (await knownServers.read())) return { ok: true };
  const health = await client.health();
  if (!health.ok) {
    // The error page of a proxy cannot be read either: where there is an account, Curt is away.
    const hasAccount = (await findToken(origin, true)) !== undefined;
    const isSomethingElse =
      health.code === 'unreachable' && !hasAccount && (await answersAnybody(origin));
    return isSomethingElse ? { ...health, code: 'not_curt' } : health;
  }
  await knownServers.update((known) => ({ ...known, [origin]: health.data.version }));
  return { ok: true };
}

/** After an answer that was not Curt's: something else may stand there now. */
export async function doubtServer(origin: string): Promise<void> {
  await knownServers.update(({ [origin]: _, ...others }) => others);
}
