import type { Client, Failure as ClientFailure, Limits } from '../../../shared/client.ts';
import type { HealthResponse } from '../../../shared/health.ts';
import type { ConnectionReport, Failure } from '../../messaging/protocol.ts';
import { knownServers, serverIds, watchErasing } from '../../storage/items.ts';
import { isNoCurt, type NoCurt } from '../../urls/server-origin.ts';
import { refreshDomains } from './account-domains.ts';
import { type ClientOf, findMove, findOldAddress } from './moved-server.ts';
import { findToken } from './tokens.ts';

/**
 * Verifies that an origin is a Curt server before any URL is sent to it. Calls the server once per
 * browser session.
 */
export async function verifyServer(
  origin: string,
  clientOf: ClientOf,
  isPrivate = false,
): Promise<{ ok: true } | Failure> {
  const isErased = watchErasing();
  const known = (await knownServers.read())[origin];
  if (known) {
    if (!isPrivate) await saveId(origin, known.serverId, isErased);
    return { ok: true };
  }
  const client = clientOf(origin);
  const health = await client.getHealth();
  if (!health.ok) return explain(health, origin, clientOf);
  await rememberServer(origin, health.data, isErased, isPrivate);
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
 * @param isPrivate whether a private window has called it, of which nothing is written to disk
 */
export async function rememberServer(
  origin: string,
  { hasDomains, serverId }: HealthResponse,
  isErased: () => boolean,
  isPrivate = false,
): Promise<void> {
  const server = { hasDomains: hasDomains ?? false, serverId };
  await knownServers.update((known) => ({ ...known, [origin]: server }), isErased);
  if (!isPrivate) await saveId(origin, serverId, isErased);
}

async function saveId(
  origin: string,
  serverId: string | undefined,
  isErased: () => boolean,
): Promise<void> {
  if (serverId === undefined) return;
  await serverIds.updateIfPossible(
    (known) => (known[origin] === serverId ? known : { ...known, [origin]: serverId }),
    isErased,
  );
}

/** Call after a response that did not come from Curt, so that the origin is verified again. */
export async function invalidateServer(origin: string): Promise<void> {
  await knownServers.deleteEntry(origin);
}

/** Tests the connection to a server, as far as a browser can distinguish the causes of a failure. */
export async function testConnection(
  origin: string,
  clientOf: ClientOf,
): Promise<ConnectionReport> {
  const isErased = watchErasing();
  const client = clientOf(origin);
  const health = await client.getHealth();
  if (!health.ok) {
    const [{ outcome, movedTo }, httpOrigin] = await Promise.all([
      causeOf(health, origin, clientOf),
      findOverHttp(origin, clientOf),
    ]);
    return { outcome, ...(httpOrigin && { httpOrigin }), ...(movedTo && { movedTo }) };
  }

  const { version } = health.data;
  const shortUrls = otherHost(health.data.baseUrl, origin);
  const movedFrom = await findOldAddress(origin, health.data, client);
  const connected = {
    outcome: 'connected',
    version,
    ...(shortUrls && { shortUrls }),
    ...(movedFrom && { movedFrom }),
  } as const;
  await rememberServer(origin, health.data, isErased);
  void refreshDomains(origin, client);
  const token = await findToken(origin, false);
  if (!token) return connected;
  const account = await client.getAccount({ token });
  if (account.ok) return { ...connected, account: account.data };
  if (account.code === 'invalid_token') return { outcome: 'token_unknown', version };
  return causeOf(account, origin, clientOf);
}

/** Reads the remaining limits of the account; empty without an account, or if the server does not respond. */
export async function readLimits(
  origin: string,
  client: Client,
  isPrivate: boolean,
  nowMs = Date.now(),
): Promise<Limits> {
  const token = await findToken(origin, isPrivate);
  if (!token) return {};
  const account = await client.getAccount({ token });
  if (!account.ok) return {};
  const { rate, quota } = account.data;
  const { limit, remaining } = quota;
  if (limit === null || remaining === null) return { rate };
  const resetsInSeconds = Math.ceil((Date.parse(quota.resetsAt) - nowMs) / 1000);
  return { rate, quota: { limit, remaining, resetsInSeconds } };
}

/** Where Curt answers without TLS, if it does: an address without a protocol is taken for `https:`. */
async function findOverHttp(origin: string, clientOf: ClientOf): Promise<string | undefined> {
  if (!origin.startsWith('https:')) return undefined;
  const httpOrigin = origin.replace('https:', 'http:');
  return (await clientOf(httpOrigin).getHealth()).ok ? httpOrigin : undefined;
}

function otherHost(baseUrl: string | undefined, origin: string): string | undefined {
  return baseUrl && new URL(baseUrl).host !== new URL(origin).host ? baseUrl : undefined;
}

/**
 * Tells a response that CORS hides from none: another program, or a proxy's error page while the server is down. And
 * finds the address that the server has moved to.
 */
async function explain(
  failure: ClientFailure,
  origin: string,
  clientOf: ClientOf,
): Promise<Failure> {
  const [isHidden, movedTo] = await Promise.all([
    failure.code === 'unreachable' && respondsAtAll(origin),
    isNoCurt(failure.code) ? findMove(origin, clientOf) : undefined,
  ]);
  const explained: Failure = isHidden ? { ok: false, code: 'unreadable_answer' } : failure;
  return { ...explained, ...(movedTo && { movedTo }) };
}

async function causeOf(failure: ClientFailure, origin: string, clientOf: ClientOf) {
  const { code, movedTo } = await explain(failure, origin, clientOf);
  const outcome: NoCurt | 'error' = isNoCurt(code) ? code : 'error';
  return { outcome, ...(movedTo && { movedTo }) };
}

const PROBE_TIMEOUT_MS = 5000;

/**
 * Whether anything responds at an origin. `fetch` throws the same `TypeError` for a refused connection
 * and for a response without CORS headers; in `no-cors` mode it throws for the former only. That mode
 * follows redirects, so the request carries no data.
 */
async function respondsAtAll(origin: string): Promise<boolean> {
  try {
    await fetch(new URL('/api/health', origin), {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}
