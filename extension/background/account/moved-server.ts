import type { Client } from '../../../shared/client.ts';
import type { HealthResponse } from '../../../shared/health.ts';
import {
  accountTokens,
  pendingRequests,
  previousTokens,
  serverIds,
  sessionRequests,
} from '../../storage/items.ts';
import { readPolicy } from '../data/settings.ts';
import { provesToKnow } from './proof.ts';
import { knownTokens } from './tokens.ts';

/** The client of a server's address. */
export type ClientOf = (origin: string) => Client;

/**
 * Finds the address over HTTPS that a server is at now, since a browser does not tell where an address redirects
 * to. No token is sent there.
 *
 * @param origin an address at which no Curt server responds
 */
export async function findMove(origin: string, clientOf: ClientOf): Promise<string | undefined> {
  // Without an ID, nothing could tell that the server is the same.
  if (!origin.startsWith('http:') || !(origin in (await serverIds.read()))) return undefined;
  // Then the address is up to the organization.
  if ((await readPolicy()).fixed.includes('serverOrigin')) return undefined;
  const { host, hostname } = new URL(origin);
  for (const to of new Set([`https://${host}`, `https://${hostname}`])) {
    const health = await clientOf(to).getHealth();
    if (health.ok && (await provenTokens(origin, to, health.data, clientOf(to)))) return to;
  }
  return undefined;
}

/** Finds another address of the same server, from which something can be taken along. */
export async function findOldAddress(
  to: string,
  health: HealthResponse,
  client: Client,
): Promise<string | undefined> {
  const known = Object.keys(await serverIds.read());
  const [inUse, previous, onDisk, inMemory] = await Promise.all([
    accountTokens.read(),
    previousTokens.read(),
    pendingRequests.read(),
    sessionRequests.read(),
  ]);
  const origins = new Set([
    ...Object.keys({ ...inUse, ...previous }),
    ...Object.values({ ...onDisk, ...inMemory }).map(({ origin }) => origin),
  ]);
  for (const from of known) {
    if (!origins.has(from) || from === to) continue;
    if (await provenTokens(from, to, health, client)) return from;
  }
  return undefined;
}

/**
 * Returns the tokens of an address that the server at another one has proven to know.
 *
 * @returns undefined if it is another server, or one at another host that has proven nothing, since anybody can repeat a
 * server's ID. Also if the token in use would no longer be encrypted on its way
 */
export async function provenTokens(
  from: string,
  to: string,
  { serverId }: HealthResponse,
  client: Client,
): Promise<ReadonlySet<string> | undefined> {
  const isDowngrade = from.startsWith('https:') && !to.startsWith('https:');
  const expected = (await serverIds.read())[from];
  if (isDowngrade || expected === undefined || serverId !== expected) return undefined;
  const { inUse, others } = await knownTokens(from);
  const proven = new Set<string>();
  for (const token of [...inUse, ...others]) {
    if (await provesToKnow(client, token)) proven.add(token);
    else if (inUse.includes(token)) return undefined;
  }
  return proven.size > 0 || isSameHost(from, to) ? proven : undefined;
}

/** With a certificate for the host of an address, a server needs no proof to be the one at that address. */
function isSameHost(from: string, to: string): boolean {
  return to.startsWith('https:') && new URL(from).hostname === new URL(to).hostname;
}
