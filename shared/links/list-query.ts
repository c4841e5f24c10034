import type { LinkFilter, LinkSort } from './link-list.ts';
import { LINK_STATUSES, type LinkStatus } from './link-status.ts';
import type { FilterField, PlainValues } from './plain-fields.ts';

/** The orders of a list, without the schemas of the API. */
export const SORTS = Object.keys({
  created: true,
  visits: true,
  lastVisit: true,
  alias: true,
} satisfies Record<LinkSort, true>) as LinkSort[];

/** What people can choose in a list of links, by its name in the API and in the address of a page, with its values. */
type Choices = {
  q: string;
  tag: string;
  /** A host. */
  domain: string;
  /** Undefined for all links that are not deleted. */
  status: LinkStatus | undefined;
  sort: LinkSort;
} & { [K in FilterField]: NonNullable<PlainValues[K]> | undefined };
export type ChoiceName = keyof Choices;
/** A choice that leaves links out, and has a control beside the search. */
export type FilterName = Exclude<ChoiceName, 'q' | 'sort'>;

/** What is chosen in a list. What is absent has its empty value. */
export type LinkQuery = { [K in ChoiceName]?: Choices[K] | undefined };

type Choice<Value> = {
  /** The value if nothing is chosen. */
  empty: Value;
  /** Reads it from an address. @returns undefined if no list has it */
  read(text: string): Value | undefined;
};

const TEXT: Choice<string> = { empty: '', read: (text) => text };

/**
 * All that can be chosen in a list. The state of the list, its address, Back, "Show all links", the number of chosen
 * filters and the query of each request follow from it. A filter that is no plain field also has a control in
 * `Filters.tsx`.
 */
const CHOICES: { [K in ChoiceName]: Choice<Choices[K]> } = {
  q: TEXT,
  tag: TEXT,
  domain: TEXT,
  status: {
    empty: undefined,
    read: (text) => LINK_STATUSES.find((one) => one === text),
  },
  sort: {
    empty: 'created',
    read: (text) => SORTS.find((one) => one === text),
  },
};
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** Returns an object with a value for each choice. The caller says of which types they are. */
export function mapChoices<R extends { [K in ChoiceName]: unknown }>(
  toValue: (name: ChoiceName, choice: Choice<unknown>) => unknown,
): R {
  return Object.fromEntries(CHOICE_NAMES.map((name) => [name, toValue(name, CHOICES[name])])) as R;
}

/** The list with nothing chosen. */
export const EVERYTHING = mapChoices<Choices>((_, { empty }) => empty);

/** Returns what differs from the list with nothing chosen. */
export function chosenIn(query: LinkQuery): ChoiceName[] {
  return CHOICE_NAMES.filter((name) => (query[name] ?? EVERYTHING[name]) !== EVERYTHING[name]);
}

/** Returns those that leave links out by a control beside the search. */
export function filtersIn(query: LinkQuery): FilterName[] {
  return chosenIn(query).filter((name) => name !== 'q' && name !== 'sort');
}

/** Reads a value as it is written in an address, or in a control. @returns undefined if no list has it */
export function readChoice<K extends ChoiceName>(name: K, text: string): Choices[K] | undefined {
  return CHOICES[name].read(text);
}

/** Reads the parameters of an address. Values that no list has are left out. */
export function readParameters(query: URLSearchParams): Choices {
  return mapChoices((name, { empty, read }) => {
    const text = query.get(name);
    return text === null ? empty : (read(text) ?? empty);
  });
}

/** Returns the filter of a list as `GET /api/links` takes it. */
export function toListFilter({ sort: _, ...query }: LinkQuery): LinkFilter {
  return Object.fromEntries(
    chosenIn(query).map((name) => [name, query[name as keyof typeof query]]),
  );
}
