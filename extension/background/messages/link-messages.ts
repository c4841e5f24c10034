import type { Client } from '../../../shared/client.ts';
import { done, type Handlers } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/items.ts';
import { chooseDomain, readDomains, refreshDomains } from '../account/account-domains.ts';
import { rememberServer } from '../account/servers.ts';
import type { ReadLinks } from '../links/read-links.ts';
import { createServerCalls } from './server-calls.ts';

export type LinkMessageOptions = {
  links: ReadLinks;
  clientOf: (origin: string) => Client;
};

/** Handles the messages about links that exist, and about what the server of an account offers. */
export function linkMessages({ links, clientOf }: LinkMessageOptions) {
  return {
    ...createServerCalls(clientOf, links),
    readLinks: links.readLinks,
    async readDomains({ serverOrigin, isFresh = false }) {
      const isErased = watchErasing();
      const client = clientOf(serverOrigin);
      const health = isFresh ? await client.getHealth() : undefined;
      if (health?.ok) await rememberServer(serverOrigin, health.data, isErased);
      await refreshDomains(serverOrigin, client);
      return { ok: true, data: (await readDomains(serverOrigin)) ?? null };
    },
    chooseDomain: ({ serverOrigin, domain }) => done(chooseDomain(serverOrigin, domain)),
  } satisfies Partial<Handlers>;
}
