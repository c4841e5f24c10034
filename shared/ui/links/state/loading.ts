import { computed, type Signal, signal } from '@preact/signals';
import type { Explained } from '../../../client.ts';
import { newestFirst } from '../../../links/link-address.ts';
import type { LinkTotal } from '../../../links/link-list.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import {
  type ChoiceName,
  chosenIn,
  EVERYTHING,
  type LinkQuery,
  mapChoices,
} from '../../../links/list-query.ts';
import { sleep, type Time } from '../../../time.ts';
import type { LinkSource } from '../link-source.ts';

/** Long enough for most people to type the next letter, so that not every one is a request. */
const SEARCH_DELAY_MS = 200;

/** Failures that end by themselves, as an outage does. */
const PASSING = new Set([
  ...['unreachable', 'timeout', 'gateway_error', 'unreadable_answer'],
  ...['store_unavailable', 'busy', 'internal'],
]);

/** Where a list is scrolled to, and how many links that takes. */
export type ListPlace = { top: number; count: number };

export type Loading = ReturnType<typeof createLoading>;

/** Creates the loaded part of the list, and what it is filtered by. */
export function createLoading(source: LinkSource, start: LinkQuery, time: Time, atLeast = 0) {
  const links = signal<LinkRecord[]>([]);
  /** How many links match, if known. */
  const total = signal<LinkTotal | undefined>(undefined);
  const hasMore = signal(false);
  /** Whether the first page for the current filters is still on its way. */
  const isLoading = signal(true);
  /** Whether the shown links are those of the filters before: they can't be selected. */
  const isOutdated = signal(false);
  /** Grows with each list that was read for a search. */
  const results = signal(0);
  /** Why the list couldn't be read. */
  const failure = signal<string | undefined>(undefined);
  /** Whether another attempt may read it. */
  const isAway = signal(false);
  const choices = mapChoices<{ [K in ChoiceName]: Signal<(typeof EVERYTHING)[K]> }>(
    (name, { empty }) => signal(start[name] ?? empty),
  );

  /** The newest reading: the results of earlier ones are ignored. */
  let latest = 0;
  /** Ends with the newest reading, for which the earlier ones wait. */
  let upToDate = Promise.resolve();
  /** Grows with each change of the shown links. */
  let changes = 0;
  let cursor: string | undefined;
  /** Whether the list was read. Until then, as many links are as the user has seen before. */
  let isRead = false;
  /** The reading whose next page is on its way. */
  let loadingMore: number | undefined;

  /** Reads what is chosen. */
  function query(): LinkQuery {
    const all = mapChoices<typeof EVERYTHING>((name) => choices[name].value);
    all.q = all.q.trim();
    return Object.fromEntries(chosenIn(all).map((name) => [name, all[name]]));
  }

  const isFiltered = computed(() => chosenIn(query()).some((name) => name !== 'sort'));

  /** Reads the list from its start, at least as many links as were shown. */
  function refresh(): Promise<void> {
    latest += 1;
    upToDate = read(latest, isRead ? links.value.length : atLeast);
    return upToDate;
  }

  async function read(reading: number, count: number): Promise<void> {
    const changesBefore = changes;
    const read: LinkRecord[] = [];
    let next: string | undefined;
    let counted: LinkTotal | undefined;
    do {
      const page = await source.page(query(), next);
      if (reading !== latest) return upToDate;
      if (!page.ok) return fail(page);
      read.push(...page.data.links);
      next = page.data.nextCursor;
      counted ??= page.data.total;
    } while (next !== undefined && read.length < count);
    // A stale list could bring back deleted links for a moment.
    if (changes !== changesBefore) return refresh();
    total.value = counted;
    links.value = read;
    setCursor(next);
    isLoading.value = false;
    isOutdated.value = false;
    isRead = true;
    failure.value = undefined;
    isAway.value = false;
    if (count === 0) results.value += 1;
  }

  /** Reads the next page, when the user has scrolled almost to the end. */
  async function loadMore(): Promise<void> {
    if (loadingMore === latest || cursor === undefined) return;
    const reading = latest;
    loadingMore = reading;
    const page = await source.page(query(), cursor);
    if (reading !== latest) return;
    loadingMore = undefined;
    if (!page.ok) return fail(page);
    failure.value = undefined;
    isAway.value = false;
    const known = new Set(links.value.map(({ id }) => id));
    links.value = [...links.value, ...page.data.links.filter((link) => !known.has(link.id))];
    setCursor(page.data.nextCursor);
  }

  /** Waits for the list that is being read. */
  const settled = () => upToDate;

  function setCursor(next: string | undefined): void {
    cursor = next;
    hasMore.value = next !== undefined;
  }

  function fail({ code, text }: Explained): void {
    failure.value = text;
    isAway.value = PASSING.has(code);
    isLoading.value = false;
  }

  /** Filters the list. A search waits until the user stops typing. */
  function filter(change: LinkQuery, { isTyping = false } = {}): void {
    for (const name of Object.keys(change) as ChoiceName[])
      (choices[name] as Signal<unknown>).value = change[name] ?? EVERYTHING[name];
    latest += 1;
    isLoading.value = true;
    isOutdated.value = true;
    // The next page of the links that are still shown is not one of this filter.
    setCursor(undefined);
    upToDate = isTyping ? search(latest) : read(latest, 0);
  }

  async function search(reading: number): Promise<void> {
    await sleep(time, SEARCH_DELAY_MS);
    return reading === latest ? read(reading, 0) : upToDate;
  }

  /** Grows whenever the list is read again, as with another filter. */
  const readings = () => latest;

  function find(key: string): LinkRecord | undefined {
    return links.value.find((link) => link.id === key);
  }

  /** Shows a link in the place of the one with a key, or adds it in its place. */
  function put(link: LinkRecord, key = link.id): void {
    changes += 1;
    const before = find(key);
    if (before) {
      const { visits30 = before.visits30 } = link;
      const after = { ...link, visits30 };
      links.value = links.value.map((one) => (one === before ? after : one));
      return;
    }
    // Only the server knows the place in another order.
    if (choices.sort.value !== 'created') return void refresh();
    links.value = [...links.value, link].sort(newestFirst);
    count(1);
  }

  /** Shows a link no more. @returns whether it was shown */
  function take(key: string): boolean {
    changes += 1;
    const left = links.value.filter((one) => one.id !== key);
    const isTaken = left.length < links.value.length;
    if (isTaken) count(-1);
    links.value = left;
    return isTaken;
  }

  function count(difference: 1 | -1): void {
    const { value } = total;
    if (value?.isExact) total.value = { ...value, count: value.count + difference };
  }

  return {
    links,
    total,
    hasMore,
    isLoading,
    isOutdated,
    results,
    failure,
    isAway,
    ...choices,
    query,
    isFiltered,
    refresh,
    settled,
    loadMore,
    filter,
    readings,
    find,
    put,
    take,
  };
}
