import { abilitiesOf } from '../../../shared/abilities.ts';
import type { Client } from '../../../shared/client.ts';
import { done, type Handlers } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/items.ts';
import { chooseDomain, readDomains, refreshDomains } from '../account/account-domains.ts';
import { rememberServer } from '../account/servers.ts';
import type { ManageLinks } from '../links/manage-links.ts';
import type { ReadLinks } from '../links/read-links.ts';
import { submitDraft } from '../shorten/form-drafts.ts';

export type LinkMessageOptions = {
  links: ReadLinks;
  manage: ManageLinks;
  clientOf: (origin: string) => Client;
};

/** Handles the messages about links that exist, and about what the server of an account offers. */
export function linkMessages({ links, manage, clientOf }: LinkMessageOptions) {
  return {
    readTags: ({ serverOrigin }) => links.readTags(serverOrigin),
    readLinks: links.readLinks,
    changeLinks: manage.changeLinks,
    editLink: ({ link, changes, ifMatch, draftTabId }) =>
      submitDraft(
        draftTabId,
        () => manage.editLink(link, changes, ifMatch),
        ({ ok }) => ok,
      ),
    deleteLink: manage.deleteLink,
    restoreLink: ({ link }) => manage.restoreLink(link),
    purgeLink: manage.purgeLink,
    readStatistics: manage.readStatistics,
    exportLinks: manage.exportLinks,
    importLinks: manage.importLinks,
    readImport: manage.readImport,
    async readAbilities({ serverOrigin }) {
      return { ok: true, data: abilitiesOf(await clientOf(serverOrigin).getHealth()) };
    },
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
