import type { LinkFilter, LinkSort } from './link-list.ts';
import { LINK_STATUSES, type LinkStatus } from './link-status.ts';

/** The orders of a list, without the schemas of the API. */
export const SORTS = Object.keys({
  created: true,
  visits: true,
  lastVisit: true,
  alias: true,
} satisfies Record<LinkSort, true>) as LinkSort[];

/** What people can choose in a list of links, with its values. */
type Choices = {
  words: string;
  tag: string;
  /** A host. */
  domain: string;
  /** Undefined for all links that are not deleted. */
  status: LinkStatus | undefined;
  sort: LinkSort;
};
export type ChoiceName = keyof Choices;
/** A choice that leaves links out, and has a control beside the search. */
export type FilterName = Exclude<ChoiceName, 'words' | 'sort'>;

/** What is chosen in a list. What is absent has its empty value. */
export type ListQuery = { [K in ChoiceName]?: Choices[K] | undefined };

type Choice<Value> = {
  /** Its name in the address of a page, and in the API. */
  parameter: keyof LinkFilter | 'sort';
  /** The value if nothing is chosen. */
  empty: Value;
  /** Reads it from an address. @returns undefined if no list has it */
  read(text: string): Value | undefined;
};

const readText = (text: string) => text;

/**
 * All that can be chosen in a list. The state of the list, its address, Back, "Show all links", the number of chosen
 * filters and the query of each request follow from it. A filter also has a control in `SearchBar.tsx`.
 */
const CHOICES: { [K in ChoiceName]: Choice<Choices[K]> } = {
  words: { parameter: 'q', empty: '', read: readText },
  tag: { parameter: 'tag', empty: '', read: readText },
  domain: { parameter: 'domain', empty: '', read: readText },
  status: {
    parameter: 'status',
    empty: undefined,
    read: (text) => LINK_STATUSES.find((one) => one === text),
  },
  sort: {
    parameter: 'sort',
    empty: 'created',
    read: (text) => SORTS.find((one) => one === text),
  },
};
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

export const parameterOf = (name: ChoiceName) => CHOICES[name].parameter;

/** Returns an object with a value for each choice. The caller says of which types they are. */
export function mapChoices<R extends { [K in ChoiceName]: unknown }>(
  toValue: (name: ChoiceName, choice: Choice<unknown>) => unknown,
): R {
  return Object.fromEntries(CHOICE_NAMES.map((name) => [name, toValue(name, CHOICES[name])])) as R;
}

/** The list with nothing chosen. */
export const EVERYTHING = mapChoices<Choices>((_, { empty }) => empty);

/** Returns what differs from the list with nothing chosen. */
export function chosenIn(query: ListQuery): ChoiceName[] {
  return CHOICE_NAMES.filter((name) => (query[name] ?? EVERYTHING[name]) !== EVERYTHING[name]);
}

/** Reads the parameters of an address. Values that no list has are left out. */
export function readParameters(query: URLSearchParams): Choices {
  return mapChoices((_, { parameter, empty, read }) => {
    const text = query.get(parameter);
    return text === null ? empty : (read(text) ?? empty);
  });
}

/** Returns the filter of a list as `GET /api/links` takes it. */
export function toListFilter({ sort: _, ...query }: ListQuery): LinkFilter {
  return Object.fromEntries(
    chosenIn(query).map((name) => [parameterOf(name), query[name as keyof typeof query]]),
  );
}
