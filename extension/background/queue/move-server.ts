import type { Client } from '../../../shared/client.ts';
import type { HealthResponse } from '../../../shared/health.ts';
import {
  accountDomains,
  hiddenLinkIds,
  privateLinks,
  savedLinks,
  serverIds,
  watchErasing,
} from '../../storage/items.ts';
import { provenTokens } from '../account/moved-server.ts';
import { moveTokens } from '../account/tokens.ts';
import { movePending } from './pending-requests.ts';

/**
 * Takes along to another address of the same server what is stored for it: tokens, requests and links. Call after the
 * user has agreed.
 *
 * @returns false, with nothing changed, if it is not the same server
 */
export async function moveServer(
  from: string,
  to: string,
  { health, client, nowMs }: { health: HealthResponse; client: Client; nowMs: number },
): Promise<boolean> {
  const isErased = watchErasing();
  const tokens = await provenTokens(from, to, health, client);
  if (!tokens) return false;
  await moveTokens(from, to, { tokens, nowMs, isErased });
  await movePending(from, to, { tokens, nowMs });
  // Those at the new address may be of an account that is no longer in use.
  await savedLinks.update(({ [from]: links, ...others }) =>
    links ? { ...others, [to]: links.map((link) => ({ ...link, serverOrigin: to })) } : others,
  );
  await privateLinks.update(({ [from]: links, ...others }) => {
    if (!links) return others;
    const moved = links.map((link) => ({ ...link, serverOrigin: to }));
    return { ...others, [to]: [...(others[to] ?? []), ...moved] };
  });
  await hiddenLinkIds.update(({ [from]: ids, ...others }) =>
    ids ? { ...others, [to]: [...new Set([...(others[to] ?? []), ...ids])] } : others,
  );
  await accountDomains.update(({ [from]: domains, ...others }) =>
    domains ? { ...others, [to]: domains } : others,
  );
  await serverIds.deleteEntry(from);
  return true;
}
