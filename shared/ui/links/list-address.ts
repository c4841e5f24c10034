import { type LinkQuery, readParameters } from '../../links/list-query.ts';
import { EDITED_ALIAS } from '../address.ts';
import type { ListPlace } from './state/loading.ts';

/** Reads what a list shows, as its address says. A link to edit is searched for. */
export function readListQuery(query: URLSearchParams): LinkQuery {
  const read = readParameters(query);
  const edited = query.get(EDITED_ALIAS) ?? '';
  // Servers search in the alias: the host of their own domain is no part of it.
  return query.has('q') ? read : { ...read, q: edited.split('/').at(-1) ?? '' };
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
