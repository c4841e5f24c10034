import type { Client } from '../../../shared/client.ts';
import { hasValues } from '../../../shared/links/has-values.ts';
import type { EndpointData } from '../../messaging/endpoint-messages.ts';
import { done, type Handlers } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/items.ts';
import { chooseDomain, readDomains, refreshDomains } from '../account/account-domains.ts';
import { rememberServer } from '../account/servers.ts';
import { startCall } from '../account/tokens.ts';
import { linksOf, removeLink } from '../data/saved-links.ts';
import { type LinkCaller, putRecord } from '../links/call-links.ts';
import type { ReadLinks } from '../links/read-links.ts';
import { hasPrivateLinks } from '../queue/private-links.ts';
import { startSubmit } from '../shorten/form-drafts.ts';

export type LinkMessageOptions = {
  links: ReadLinks;
  caller: LinkCaller;
  clientOf: (origin: string) => Client;
};

/**
 * Handles the messages about links that exist, and about what the server of an account offers. Calls servers with
 * the account in use, and brings the saved links up to date.
 */
export function linkMessages({ links, caller, clientOf }: LinkMessageOptions) {
  const { callAccount, callLink } = caller;
  return {
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
    getHealth: ({ serverOrigin }) => clientOf(serverOrigin).getHealth(),
    listTags: ({ serverOrigin }) => links.readTags(serverOrigin),

    async editLink({ link, draftTabId, body, ifMatch }) {
      const endSubmit = await startSubmit(draftTabId);
      const { isObsolete } = await startCall(link.serverOrigin);
      const edited = await callLink(link, (client, about) =>
        client.editLink({ ...about, ifMatch, body }),
      );
      if (!edited.ok && !edited.current) return edited;
      const record = edited.ok ? edited.data : edited.current;
      const entry = await putRecord(link, record, isObsolete);
      // A page repeats its message if the worker stopped, which may have sent the edit before.
      if (!edited.ok && !hasValues(record, body)) return { ...edited, current: entry };
      await endSubmit();
      return { ok: true, data: entry };
    },
    async deleteLink({ link, purge }) {
      const deleted = await callLink(link, (client, about) =>
        client.deleteLink({ ...about, purge }),
      );
      if (deleted.ok) await removeLink(link);
      return deleted;
    },
    async restoreLink({ link }) {
      const { isObsolete } = await startCall(link.serverOrigin);
      const restored = await callLink(link, (client, about) => client.restoreLink(about));
      if (!restored.ok) return restored;
      const listed = 'id' in link ? link : undefined;
      return { ok: true, data: await putRecord(link, restored.data, isObsolete, listed) };
    },
    // The saved links are brought up to date when the list is read again.
    changeLinks: ({ serverOrigin, ...input }) =>
      callAccount(serverOrigin, (client, token) => client.changeLinks({ token, ...input })),

    importLinks({ serverOrigin, file, mapping, ...options }) {
      const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
      return callAccount(serverOrigin, (client, token) =>
        client.importLinks({
          ...options,
          token,
          file: new Blob([bytes]),
          mapping: mapping && JSON.stringify(mapping),
        }),
      );
    },
    getImport: ({ serverOrigin }) =>
      callAccount(serverOrigin, (client, token) => client.getImport({ token })),
    stopImport: ({ serverOrigin }) =>
      callAccount(serverOrigin, (client, token) => client.stopImport({ token })),
    async exportLinks({ serverOrigin, ...input }) {
      const file = await callAccount(serverOrigin, (client, token) =>
        client.exportLinks({ token, ...input, secrets: false }),
      );
      if (!file.ok) return file;
      // Spreadsheets need a table's byte order mark, which `text()` leaves out.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return { ok: true, data: decoder.decode(await file.data.arrayBuffer()) };
    },

    getLinkStatistics: ({ link, ...query }) =>
      callLink(link, (client, about) => client.getLinkStatistics({ ...about, ...query })),
    async getStatistics({ serverOrigin, ...query }) {
      const report = await callAccount(serverOrigin, (client, token) =>
        client.getStatistics({ token, ...query }),
      );
      if (!report.ok || !(await hasPrivateLinks(serverOrigin))) return report;
      return { ok: true, data: await leaveOutUnsaved(serverOrigin, report.data) };
    },
  } satisfies Partial<Handlers>;
}

/** Without IDs, private links can't be told from others. Saved links are never private. */
async function leaveOutUnsaved<R extends EndpointData<'getStatistics'>>(
  serverOrigin: string,
  report: R,
): Promise<R> {
  const saved = new Set((await linksOf(serverOrigin)).map((link) => link.shortUrl));
  const [shown = [], hidden = []] = [true, false].map((isShown) =>
    report.topLinks.filter((link) => saved.has(link.shortUrl) === isShown),
  );
  const otherLinks = hidden.reduce((sum, { people }) => sum + people, report.otherLinks);
  return { ...report, topLinks: shown, otherLinks };
}
