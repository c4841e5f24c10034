import { signal } from '@preact/signals';
import type { LinkCall } from '../../../shared/client/link-methods.ts';
import type { Client, Failure, Result } from '../../../shared/client.ts';
import { LIST_LIMIT_MAX } from '../../../shared/limits.ts';
import { addressOf } from '../../../shared/links/link-address.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkListResponse } from '../../../shared/links/link-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { chosenIn, toListFilter } from '../../../shared/links/list-query.ts';
import { lazyCode } from '../../../shared/ui/lazy.ts';
import type { editOrRead } from '../../../shared/ui/links/link-calls.ts';
import type { LinkFailure, LinkSource } from '../../../shared/ui/links/link-source.ts';
import { LIST_QUERY, readAbilities, UNREACHABLE } from '../api/api.ts';

/** No row needs it. */
const calls = lazyCode(() => import('../../../shared/ui/links/link-calls.ts'));

/** Calls the server with the account's token. Never throws. */
type Call = <T>(run: (client: Client, token: string) => Promise<Result<T>>) => Promise<Result<T>>;

type HttpLinkSourceOptions = {
  call: Call;
  /** What went wrong, in the shown language. */
  failureText(failure: Failure): string | Promise<string>;
  /** The start of the list in its own order, if it is there without a call. */
  startOfList?(): Promise<LinkListResponse | undefined>;
  /** Calls back when links may have changed elsewhere. @returns a function that stops it */
  subscribe(onChange: () => void): () => void;
};

/** Creates the links of an account, straight from its server. */
export function createHttpLinkSource({
  call,
  failureText,
  startOfList,
  subscribe,
}: HttpLinkSourceOptions): LinkSource {
  const callFor =
    (link: LinkRecord) =>
    <T>(run: (client: Client, about: LinkCall) => Promise<Result<T>>) =>
      call((client, token) => run(client, { alias: addressOf(link), token }));

  async function toFailure(failure: Failure): Promise<LinkFailure> {
    const { code, issues, suggestions } = failure;
    return { ok: false, code, issues, suggestions, text: await failureText(failure) };
  }

  return {
    notices: signal<string[]>([]),
    subscribe,

    async page(query, cursor) {
      // The first page is small, so that it comes quickly.
      const limit = cursor === undefined ? {} : { limit: LIST_LIMIT_MAX };
      const isStart = cursor === undefined && chosenIn(query).length === 0;
      const sent = { ...LIST_QUERY, ...toListFilter(query), sort: query.sort, cursor, ...limit };
      const start = isStart && (await startOfList?.());
      const page = start
        ? { ok: true as const, data: start }
        : await call((client, token) => client.listLinks(token, sent));
      if (!page.ok) return toFailure(page);
      const { data, nextCursor, total } = page.data;
      return { ok: true, data: { links: data, nextCursor: nextCursor ?? undefined, total } };
    },

    abilities: () => readAbilities({ call }),

    async domains() {
      const result = await call((client, token) => client.listDomains(token));
      return result.ok ? result.data : [];
    },

    async tags() {
      const tags = await call((client, token) => client.listTags(token));
      return tags.ok ? tags : toFailure(tags);
    },

    async changeAll(selection, change, options) {
      const changed = await calls.use(
        ({ changeSelected }) => changeSelected<Failure>(call, selection, change, options),
        () => UNREACHABLE,
      );
      return changed.ok ? changed : toFailure(changed);
    },

    async edit(link, changes, { isConditional = false } = {}) {
      const ifMatch = isConditional ? linkEtag(link) : undefined;
      const edited = await calls.use<Awaited<ReturnType<typeof editOrRead<Failure>>>>(
        (code) => code.editOrRead<Failure>(callFor(link), changes, ifMatch),
        () => UNREACHABLE,
      );
      return edited.ok ? edited : { ...(await toFailure(edited)), current: edited.current };
    },

    async remove(link) {
      const removed = await callFor(link)((client, about) => client.deleteLink(about));
      return removed.ok ? { ok: true, data: true } : toFailure(removed);
    },

    async restore(link) {
      const restored = await callFor(link)((client, about) => client.restoreLink(about));
      return restored.ok ? restored : toFailure(restored);
    },

    async purge(link) {
      const purged = await callFor(link)((client, about) =>
        client.deleteLink(about, { purge: true }),
      );
      return purged.ok ? { ok: true, data: true } : toFailure(purged);
    },
  };
}
