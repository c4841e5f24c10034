import type { Client } from '../../../shared/client.ts';
import type { DomainChoices } from '../../messaging/protocol.ts';
import { accountDomains, knownServers } from '../../storage/items.ts';
import { unlessFull } from '../../storage/quota.ts';
import { findToken } from './tokens.ts';

/** The domains that the account in use on a server can choose from, if there are several. */
export async function readDomains(origin: string): Promise<DomainChoices | undefined> {
  const { domains = [], chosen } = (await accountDomains.read())[origin] ?? {};
  const current = domains.find(({ host }) => host === chosen) ?? domains[0];
  return current && domains.length > 1 ? { domains, chosen: current.host } : undefined;
}

/** The domain of new links; undefined if there is no choice. */
export async function chosenDomain(origin: string): Promise<string | undefined> {
  return (await readDomains(origin))?.chosen;
}

/** Remembers the domain of new links. @throws QuotaExceededError */
export async function chooseDomain(origin: string, chosen: string): Promise<void> {
  if ((await chosenDomain(origin)) === chosen) return;
  await accountDomains.update(({ [origin]: known, ...others }) =>
    known ? { ...others, [origin]: { ...known, chosen } } : others,
  );
}

/** Reads the domains from a server. One without any but its own is not asked. */
export async function refreshDomains(origin: string, client: Client): Promise<void> {
  const hasDomains = (await knownServers.read())[origin]?.hasDomains ?? false;
  const isKnown = origin in (await accountDomains.read());
  if (!hasDomains && !isKnown) return;
  const listed = hasDomains ? await client.listDomains(await findToken(origin, false)) : undefined;
  if (listed?.ok === false) return;
  // The default is the first.
  const domains = (listed?.data ?? []).map(({ host, displayHost }) => ({ host, displayHost }));
  await unlessFull(
    accountDomains.update(({ [origin]: known, ...others }) =>
      domains.length > 1 ? { ...others, [origin]: { ...known, domains } } : others,
    ),
  );
}
