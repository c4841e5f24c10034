import { LINK_STATUSES } from '../../links/link-status.ts';
import { EDITED_ALIAS } from '../address.ts';
import type { LinkQuery } from './link-source.ts';
import { SORTS } from './link-texts.ts';
import type { ListPlace } from './state/loading.ts';

/** Reads what a list shows, as its address says. Values that no list has are left out. */
export function readListQuery(query: URLSearchParams): Required<LinkQuery> {
  const edited = query.get(EDITED_ALIAS) ?? '';
  return {
    // Servers search in the alias: the host of their own domain is no part of it.
    words: query.get('q') ?? edited.split('/').at(-1) ?? '',
    tag: query.get('tag') ?? '',
    domain: query.get('domain') ?? '',
    status: LINK_STATUSES.find((status) => status === query.get('status')),
    sort: SORTS.find((sort) => sort === query.get('sort')),
  };
}

/** Reads the place of a list that Back, Forward or a reload leads to. */
export function readPlace(): ListPlace | undefined {
  const place: unknown = history.state?.place;
  const { top, count } = (place ?? {}) as Partial<ListPlace>;
  return typeof top === 'number' && typeof count === 'number' ? { top, count } : undefined;
}

/** Calls back when the user comes back to the page, or the network does. @returns a function that stops it */
export function onReturn(act: () => void): () => void {
  addEventListener('focus', act);
  addEventListener('online', act);
  return () => {
    removeEventListener('focus', act);
    removeEventListener('online', act);
  };
}
