import { signal } from '@preact/signals';
import type { Client, Failure, Result } from '../../../shared/client.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import { toBulkQuery, toListFilter } from '../../../shared/links/bulk-request.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import { addressOf, type ShownLink, toShownLink } from '../../../shared/links/shown-link.ts';
import type { LinkFailure, LinkSource, Outcome } from '../../../shared/ui/links/link-source.ts';
import { knowsCountries, LIST_QUERY } from '../api/api.ts';

/** Calls the server with the account's token. Never throws. */
type Call = <T>(run: (client: Client, token: string) => Promise<Result<T>>) => Promise<Result<T>>;

export type HttpLinkSourceOptions = {
  call: Call;
  /** What went wrong, in the shown language. */
  failureText(failure: Failure): string;
  /** Calls back when links may have changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
};

/** The links of an account, straight from its server. */
export function createHttpLinkSource({
  call,
  failureText,
  subscribe,
}: HttpLinkSourceOptions): LinkSource {
  const toOutcome = (result: Result<Parameters<typeof toShownLink>[0]>): Outcome<ShownLink> =>
    result.ok ? { ok: true, data: toShownLink(result.data) } : toFailure(result);

  function toFailure(failure: Failure): LinkFailure {
    const { code, issues, suggestions } = failure;
    return { ok: false, code, issues, suggestions, text: failureText(failure) };
  }

  return {
    notices: signal<string[]>([]),
    subscribe,

    async page(query, cursor) {
      // The first page is small, so that it comes quickly.
      const limit = cursor === undefined ? {} : { limit: LIST_LIMIT_MAX };
      const sent = { ...LIST_QUERY, ...toListFilter(query), sort: query.sort, cursor, ...limit };
      const page = await call((client, token) => client.listLinks(token, sent));
      if (!page.ok) return toFailure(page);
      const { data, nextCursor, total } = page.data;
      const links = data.map(toShownLink);
      return { ok: true, data: { links, nextCursor: nextCursor ?? undefined, total } };
    },

    knowsCountries: () => knowsCountries({ call }),

    async domains() {
      const result = await call((client, token) => client.listDomains(token));
      return result.ok ? result.data : [];
    },

    async tags() {
      const tags = await call((client, token) => client.listTags(token));
      return tags.ok ? tags : toFailure(tags);
    },

    async changeAll(selection, change, options = {}) {
      const [body, query] =
        'aliases' in selection
          ? [{ ...change, ...selection }, {}]
          : [change, toBulkQuery(toListFilter(selection.query), options)];
      const changed = await call((client, token) => client.changeLinks(token, body, query));
      if (!changed.ok) return toFailure(changed);
      const { data, nextCursor } = changed.data;
      return { ok: true, data: { ...data, nextCursor: nextCursor ?? undefined } };
    },

    async edit(link, changes, { isConditional = false } = {}) {
      const ifMatch = isConditional && link.serverState ? linkEtag(link.serverState) : undefined;
      const alias = addressOf(link);
      const edited = await call((client, token) =>
        client.editLink({ alias, token, ifMatch }, changes),
      );
      if (edited.ok || edited.code !== 'version_mismatch') return toOutcome(edited);
      const current = toOutcome(await call((client, token) => client.readLink({ alias, token })));
      return current.ok ? { ...toFailure(edited), current: current.data } : current;
    },

    async remove(link) {
      const alias = addressOf(link);
      const removed = await call((client, token) => client.deleteLink({ alias, token }));
      return removed.ok ? { ok: true, data: true } : toFailure(removed);
    },

    async restore(link) {
      const alias = addressOf(link);
      return toOutcome(await call((client, token) => client.restoreLink({ alias, token })));
    },

    async purge(link) {
      const alias = addressOf(link);
      const purged = await call((client, token) => client.purgeLink({ alias, token }));
      return purged.ok ? { ok: true, data: true } : toFailure(purged);
    },
  };
}
