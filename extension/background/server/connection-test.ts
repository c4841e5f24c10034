import type { Client, Failure } from '../../../shared/client.ts';
import type { ConnectionReport } from '../../messaging/protocol.ts';
import { respondsAtAll } from './probe.ts';
import { findToken } from './tokens.ts';

/**
 * Tests the connection to a server, as far as a browser can distinguish the causes of a failure.
 *
 * @param ownVersion of the extension, to compare with the server's
 */
export async function testConnection(
  origin: string,
  client: Client,
  ownVersion: string,
): Promise<ConnectionReport> {
  const health = await client.health();
  if (!health.ok) return { outcome: await causeOf(health, origin) };

  const { version } = health.data;
  const about = { version, isOlder: isOlder(version, ownVersion) };
  const token = await findToken(origin, false);
  if (!token) return { outcome: 'connected', ...about };
  const account = await client.account(token);
  if (account.ok) return { outcome: 'connected', ...about, account: account.data };
  if (account.code === 'invalid_token') return { outcome: 'token_unknown', ...about };
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

/** Compares versions such as `1.2.3` and `1.10.0` by their numbers; ignores pre-release suffixes. */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => (text.split('-')[0] ?? '').split('.').map(Number);
  const [left, right] = [numbers(version), numbers(than)];
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
