import type { Client } from '../../../shared/client.ts';
import type { DomainChoices } from '../../messaging/protocol.ts';
import { accountDomains, knownServers } from '../../storage/items.ts';
import { findToken, startCall } from './tokens.ts';

/** More than anybody chooses from. They are in the storage, which other data needs. */
const DOMAINS_MAX = 500;

/** Reads the domains that the account in use on a server can choose from, if there are several. */
export async function readDomains(origin: string): Promise<DomainChoices | undefined> {
  const { domains = [], chosen } = (await accountDomains.read())[origin] ?? {};
  const current = domains.find(({ host }) => host === chosen) ?? domains[0];
  return current && domains.length > 1 ? { domains, chosen: current.host } : undefined;
}

/** Returns the domain of new links; undefined if there is no choice. */
export async function chosenDomain(origin: string): Promise<string | undefined> {
  return (await readDomains(origin))?.chosen;
}

/** Remembers the domain of new links. @throws StorageError */
export async function chooseDomain(origin: string, chosen: string): Promise<void> {
  if ((await chosenDomain(origin)) === chosen) return;
  await accountDomains.update(({ [origin]: known, ...others }) =>
    known ? { ...others, [origin]: { ...known, chosen } } : others,
  );
}

/** Reads the domains from a server. One without any but its own is not asked. */
export async function refreshDomains(origin: string, client: Client): Promise<void> {
  const { token, isObsolete } = await startCall(origin);
  const server = (await knownServers.read())[origin];
  const isSaved = origin in (await accountDomains.read());
  // A server that is not verified, for example while it is down, may still have its domains.
  if (!server || (!server.hasDomains && !isSaved)) return;
  const listed = server.hasDomains ? await client.listDomains({ token }) : undefined;
  if (listed?.ok === false) return;
  // The default is the first.
  const domains = (listed?.data ?? [])
    .slice(0, DOMAINS_MAX)
    .map(({ host, displayHost }) => ({ host, displayHost }));
  await accountDomains.updateIfPossible(
    ({ [origin]: known, ...others }) =>
      domains.length > 1 ? { ...others, [origin]: { ...known, domains } } : others,
    isObsolete,
  );
  // Those of an account that is no longer in use.
  if ((await findToken(origin, false)) !== token) return refreshDomains(origin, client);
}

/** Call when the account is no longer in use. */
export async function deleteDomains(origin: string): Promise<void> {
  await accountDomains.deleteEntry(origin);
}
