import { effect, untracked } from '@preact/signals';
import { CHOICE_NAMES, chosenIn, type LinkQuery } from '../../links/list-query.ts';
import { type Address, EDITED_ALIAS } from '../address.ts';
import { readListQuery } from './list-address.ts';
import type { LinksState } from './state/links-state.ts';
import type { ListPlace } from './state/loading.ts';

/** Keeps search, filters and order of a list in its address. @returns a function that stops it */
export function keepInAddress(
  { loading, filter, editNamed }: LinksState,
  address: Address,
): () => void {
  const { pathname } = location;
  // The address may be that of another page already.
  const isShown = () =>
    location.pathname !== pathname ||
    isSameQuery(readListQuery(address.query.peek()), loading.query());
  let edited = address.query.peek().get(EDITED_ALIAS);
  const stopReading = effect(() => {
    const query = address.query.value;
    const named = query.get(EDITED_ALIAS);
    untracked(() => {
      if (!isShown()) filter(readListQuery(query));
      // The first one is opened by the page.
      if (named && named !== edited) void loading.settled().then(() => editNamed(named));
    });
    edited = named;
  });
  const stopWriting = effect(() => {
    const query = loading.query();
    untracked(() => {
      if (isShown()) return;
      const before = readListQuery(address.query.peek());
      // Back leads to the filters before, not to each letter of a search.
      const isNewEntry = !isSameQuery({ ...before, q: query.q }, query);
      address.setQuery({ [EDITED_ALIAS]: undefined, ...toParameters(query) }, { isNewEntry });
    });
  });
  return () => {
    stopReading();
    stopWriting();
  };
}

function isSameQuery(one: LinkQuery, other: LinkQuery): boolean {
  const text = (query: LinkQuery) =>
    JSON.stringify(chosenIn(query).map((name) => [name, query[name]]));
  return text(one) === text(other);
}

/** Returns the parameters of the address; what is not chosen is undefined. */
function toParameters(query: LinkQuery): Record<string, string | undefined> {
  const chosen = chosenIn(query);
  const textOf = (name: (typeof chosen)[number]) =>
    chosen.includes(name) ? String(query[name]) : undefined;
  return Object.fromEntries(CHOICE_NAMES.map((name) => [name, textOf(name)]));
}

const SETTLED_MS = 150;

/** Keeps the place of a list with its entry in the history. @returns a function that stops it */
export function keepPlace({ loading }: LinksState): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const place: ListPlace = { top: scrollY, count: loading.links.peek().length };
    history.replaceState({ ...history.state, place }, '');
  }
  const onScroll = () => {
    timer ??= setTimeout(save, SETTLED_MS);
  };
  // Before a click leads to another page, which has an entry of its own.
  const onLeave = () => timer !== undefined && save();
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('click', onLeave, { capture: true });
  addEventListener('pagehide', onLeave);
  return () => {
    clearTimeout(timer);
    removeEventListener('scroll', onScroll);
    removeEventListener('click', onLeave, { capture: true });
    removeEventListener('pagehide', onLeave);
  };
}
