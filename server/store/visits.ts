/** Visitors by link and by day (UTC), as the start of the day; only days with visitors. */
export type VisitsPerDay = Map<string, Map<number, number>>;

/** What is known of visitors, besides their number. */
export const VISITOR_DIMENSIONS = [
  'referrers',
  'browsers',
  'systems',
  'devices',
  'countries',
] as const;
export type VisitorDimension = (typeof VISITOR_DIMENSIONS)[number];

/**
 * Of a link with rules, also where its visitors went: see `nameTarget`. Of an account, which of its links were
 * visited, by their ids, instead. The order is stored.
 */
export const DIMENSIONS = [...VISITOR_DIMENSIONS, 'targets', 'links'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Visits by class: people, link previews (also `HEAD` and prefetches), other bots. */
export type VisitCounts = {
  people: number;
  /** People who had not visited the link before on that day (UTC). */
  uniquePeople: number;
  previews: number;
  bots: number;
};

/** Stands for all values of a dimension that are not among the most frequent. */
export const OTHER = 'other';
/** How many values of a dimension are kept besides `OTHER`. */
export const TOP_VALUES = 24;
/** For how many days visits are known by hour, and by day. */
export const KNOWN_DAYS = { hour: 90, day: 400 };
/** For how many days the values of dimensions are known by day. */
export const VALUE_DAYS = 35;

/** Numbers of people by value. Anybody can make up a value, also one such as `constructor`. */
export type Tally = Map<string, number>;

/** People by a dimension (its index in `DIMENSIONS`, one digit) and a value: `0example.com`, `1Firefox`. */
export type Tallies = Tally;

export function tallyKey(dimension: Dimension, value: string): string {
  return `${DIMENSIONS.indexOf(dimension)}${value}`;
}

/** Every sum of people is made here. Leaves out what is stored but no number, such as a text. */
export function addTo<Key>(tally: Map<Key, number>, key: Key, people: number): void {
  if (Number.isSafeInteger(people)) tally.set(key, (tally.get(key) ?? 0) + people);
}

/** Visits of one link in one hour, to add to its statistics. */
export type VisitsOfHour = VisitCounts & {
  linkId: string;
  /** Start of the hour (UTC), milliseconds since the epoch. */
  hour: number;
  tallies: Tallies;
};

/** Whose visits: those of a link, or of all links of an account. */
export type VisitsOf = { linkId: string } | { accountId: string };

/** The visits of the links of an account that have a tag now, in any letter case, and are not deleted. */
export type VisitsWithTag = { accountId: string; tag: string };

/** Visits in a period that starts at a time (UTC, milliseconds since the epoch). */
export type VisitsOfPeriod = VisitCounts & { start: number };
export type TalliesOfPeriod = { start: number; dimensions: Record<Dimension, Tally> };

/**
 * Visits of a link or an account. No visit is in two lists of the same kind: `days` has those that are
 * older than `hours`, and `months` those that are older than `days`. All are in chronological order,
 * without empty periods.
 */
export type Statistics = {
  /** Of the days in `KNOWN_DAYS.hour`. */
  hours: VisitsOfPeriod[];
  /** Of the days in `KNOWN_DAYS.day`. */
  days: VisitsOfPeriod[];
  months: VisitsOfPeriod[];
  /** Of the last 35 days. The most frequent values of each dimension, and the rest as `OTHER`. */
  talliesOfDays: TalliesOfPeriod[];
  /** Up to 25 months ago. */
  talliesOfMonths: TalliesOfPeriod[];
};
