import type { Client, Result } from '../../../shared/client.ts';
import type { EditRequest } from '../../../shared/links/edit-request.ts';
import { addressOf, linkAt } from '../../../shared/links/link-address.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { toBulkCall, toChangedLinks } from '../../../shared/ui/links/bulk-call.ts';
import type { EditOptions } from '../../../shared/ui/links/link-source.ts';

/** Calls the server with the account's token. Never throws. */
export type Call = <T>(run: (client: Client) => Promise<Result<T>>) => Promise<Result<T>>;

export type HttpLinkChanges = ReturnType<typeof createHttpLinkChanges>;

/** Creates the changes of an account's links, which are loaded after the list. */
export function createHttpLinkChanges(call: Call) {
  return {
    async changeAll(...what: Parameters<typeof toBulkCall>) {
      const { body, query } = toBulkCall(...what);
      const changed = await call((client) => client.changeLinks({ body, ...query }));
      return changed.ok ? { ...changed, data: toChangedLinks(changed.data) } : changed;
    },

    edit(link: LinkRecord, body: EditRequest, { isConditional = false }: EditOptions = {}) {
      const ifMatch = isConditional ? linkEtag(link) : undefined;
      return call((client) => client.editLink({ ...at(link), ifMatch, body }));
    },

    remove: (link: LinkRecord) => call((client) => client.deleteLink(at(link))),
    restore: (link: LinkRecord) => call((client) => client.restoreLink(at(link))),
    purge: (link: LinkRecord) => call((client) => client.deleteLink({ ...at(link), purge: true })),
  };
}

function at(link: LinkRecord) {
  return linkAt(addressOf(link));
}
