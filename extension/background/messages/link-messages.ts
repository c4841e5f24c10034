import type { Client } from '../../../shared/client.ts';
import type { Handlers } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import type { ManageLinks } from '../account/manage-links.ts';
import type { ReadLinks } from '../account/read-links.ts';
import { chooseDomain, readDomains, refreshDomains } from '../server/domains.ts';
import { rememberServer } from '../server/verify-server.ts';
import { submitDraft } from '../shorten/form-drafts.ts';

export type LinkMessageOptions = {
  links: ReadLinks;
  manage: ManageLinks;
  clientOf: (origin: string) => Client;
};

/** The messages about links that exist, and about what the server of an account offers. */
export function linkMessages({ links, manage, clientOf }: LinkMessageOptions) {
  return {
    readTags: ({ serverOrigin }) => links.readTags(serverOrigin),
    readLinks: links.readLinks,
    changeLinks: (payload) => manage.changeLinks(payload),
    editLink: ({ link, changes, ifMatch, draftTabId }) =>
      submitDraft(
        draftTabId,
        () => manage.editLink(link, changes, ifMatch),
        ({ ok }) => ok,
      ),
    deleteLink: (link) => manage.deleteLink(link),
    restoreLink: ({ link }) => manage.restoreLink(link),
    purgeLink: (link) => manage.purgeLink(link),
    readStatistics: (payload) => manage.readStatistics(payload),
    exportLinks: (payload) => manage.exportLinks(payload),
    importLinks: (payload) => manage.importLinks(payload),
    async readCountries({ serverOrigin }) {
      const health = await clientOf(serverOrigin).health();
      return { ok: true, data: health.ok && health.data.hasCountries === true };
    },
    async readDomains({ serverOrigin, isFresh = false }) {
      const isErased = watchErasing();
      const client = clientOf(serverOrigin);
      const health = isFresh ? await client.health() : undefined;
      if (health?.ok) await rememberServer(serverOrigin, health.data, isErased);
      await refreshDomains(serverOrigin, client);
      return { ok: true, data: (await readDomains(serverOrigin)) ?? null };
    },
    async chooseDomain({ serverOrigin, domain }) {
      await chooseDomain(serverOrigin, domain);
      return { ok: true, data: true };
    },
  } satisfies Partial<Handlers>;
}
