import { signal } from '@preact/signals';
import { LIST_LIMIT_MAX } from '../../../shared/bounds.ts';
import type { Explained, Failure, Result } from '../../../shared/client.ts';
import type { LinkListResponse } from '../../../shared/links/link-list.ts';
import { chosenIn, toListFilter } from '../../../shared/links/list-query.ts';
import { lazyCode } from '../../../shared/ui/lazy.ts';
import type { LinkSource } from '../../../shared/ui/links/link-source.ts';
import { LIST_QUERY, readAbilities } from '../api/api.ts';
import { UNREACHABLE } from '../api/calls.ts';
import type { Call, HttpLinkChanges } from './http-link-changes.ts';

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
  const changes = lazyCode(async () => {
    const { createHttpLinkChanges } = await import('./http-link-changes.ts');
    return createHttpLinkChanges(call);
  });

  async function explained<T>(result: Result<T>): Promise<Result<T, Explained>> {
    return result.ok ? result : { ...result, text: await failureText(result) };
  }

  /** A change, whose code is loaded after the list. */
  function later<K extends keyof HttpLinkChanges>(name: K) {
    return (...args: unknown[]) =>
      changes
        .use(
          (code) => (code[name] as (...args: unknown[]) => Promise<Result<unknown>>)(...args),
          () => UNREACHABLE,
        )
        .then(explained) as ReturnType<LinkSource[K]>;
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
        : await call((client) => client.listLinks(sent));
      if (!page.ok) return explained(page);
      const { data, nextCursor, total } = page.data;
      return { ok: true, data: { links: data, nextCursor: nextCursor ?? undefined, total } };
    },

    abilities: () => readAbilities({ call }),

    async domains() {
      const result = await call((client) => client.listDomains());
      return result.ok ? result.data : [];
    },

    tags: async () => explained(await call((client) => client.listTags())),

    changeAll: later('changeAll'),
    edit: later('edit'),
    remove: later('remove'),
    restore: later('restore'),
    purge: later('purge'),
  };
}
