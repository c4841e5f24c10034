import type { Client, Failure } from '../../../shared/client.ts';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import { refreshDomains } from './domains.ts';
import { respondsAtAll } from './probe.ts';
import { findToken } from './tokens.ts';
import { rememberServer } from './verify-server.ts';

/** Tests the connection to a server, as far as a browser can distinguish the causes of a failure. */
export async function testConnection(
  origin: string,
  clientOf: (origin: string) => Client,
): Promise<ConnectionReport> {
  const isErased = watchErasing();
  const client = clientOf(origin);
  const health = await client.health();
  if (!health.ok) {
    const [outcome, httpOrigin] = await Promise.all([
      causeOf(health, origin),
      findOverHttp(origin, clientOf),
    ]);
    return { outcome, ...(httpOrigin && { httpOrigin }) };
  }

  const { version } = health.data;
  const shortUrls = otherHost(health.data.baseUrl, origin);
  const connected = { outcome: 'connected', version, ...(shortUrls && { shortUrls }) } as const;
  await rememberServer(origin, health.data, isErased);
  void refreshDomains(origin, client);
  const token = await findToken(origin, false);
  if (!token) return connected;
  const account = await client.account(token);
  if (account.ok) return { ...connected, account: account.data };
  if (account.code === 'invalid_token') return { outcome: 'token_unknown', version };
  return { outcome: await causeOf(account, origin) };
}

/** Where Curt answers without TLS, if it does: an address without a protocol is taken for `https:`. */
async function findOverHttp(
  origin: string,
  clientOf: (origin: string) => Client,
): Promise<string | undefined> {
  if (!origin.startsWith('https:')) return undefined;
  const httpOrigin = origin.replace('https:', 'http:');
  return (await clientOf(httpOrigin).health()).ok ? httpOrigin : undefined;
}

function otherHost(baseUrl: string | undefined, origin: string): string | undefined {
  return baseUrl && new URL(baseUrl).host !== new URL(origin).host ? baseUrl : undefined;
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
