import type { Client, Failure } from '../../../shared/client.ts';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import { refreshDomains } from './domains.ts';
import { respondsAtAll } from './probe.ts';
import { findToken } from './tokens.ts';
import { rememberServer } from './verify-server.ts';

/** Tests the connection to a server, as far as a browser can distinguish the causes of a failure. */
export async function testConnection(origin: string, client: Client): Promise<ConnectionReport> {
  const isErased = watchErasing();
  const health = await client.health();
  if (!health.ok) return { outcome: await causeOf(health, origin) };

  const { version } = health.data;
  await rememberServer(origin, health.data, isErased);
  void refreshDomains(origin, client);
  const token = await findToken(origin, false);
  if (!token) return { outcome: 'connected', version };
  const account = await client.account(token);
  if (account.ok) return { outcome: 'connected', version, account: account.data };
  if (account.code === 'invalid_token') return { outcome: 'token_unknown', version };
  return { outcome: await causeOf(account, origin) };
}

async function causeOf(failure: Failure, origin: string) {
  switch (failure.code) {
    case 'timeout':
      return 'timed_out';
    case 'redirected':
    case 'gateway_error':
    case 'not_curt':
      return failure.code;
    case 'unreachable':
      return (await respondsAtAll(origin)) ? 'unreadable_answer' : 'no_answer';
    default:
      return 'error';
  }
}
