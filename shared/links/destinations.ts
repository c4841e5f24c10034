export const RULE_DEVICES = ['phone', 'tablet', 'computer'] as const;
/** As statistics name them. */
export const RULE_SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Chrome OS'] as const;

/** Decides where a visit goes if all its conditions hold, of which there is at least one. */
export type Rule = {
  device?: (typeof RULE_DEVICES)[number] | undefined;
  system?: (typeof RULE_SYSTEMS)[number] | undefined;
  /** BCP 47, in canonical form. */
  language?: string | undefined;
  /** ISO 3166-1. */
  country?: string | undefined;
  /** A parameter of the visit's query, with this value or any. */
  query?: { name: string; value?: string | undefined } | undefined;
  /** ISO 8601, UTC, with milliseconds. */
  from?: string | undefined;
  until?: string | undefined;
  /** Percent of the visitors. */
  share?: number | undefined;
  /** As the WHATWG URL parser serializes it. */
  originalUrl: string;
};

/** What link previews show. It has at least one of these. */
export type Card = {
  title?: string | undefined;
  description?: string | undefined;
  imageUrl?: string | undefined;
};

/** What a rule can ask of a visit, in the order in which it is written down. */
export const CONDITIONS = [
  'device',
  'system',
  'language',
  'country',
  'query',
  'from',
  'until',
  'share',
] as const satisfies (keyof Rule)[];
export type Condition = (typeof CONDITIONS)[number];

/** What a link has besides its target, as requests, records and stores have it. */
export type Destinations = {
  /** In order: the first that matches decides where a visit goes. */
  rules: Rule[];
  /** Where visits go once the link is expired, used up or paused. */
  goneUrl: string | null;
  /** What link previews get. */
  card: Card | null;
};

/** Destinations of a record, with its start as a time in ISO 8601. */
export type RecordDestinations = Destinations & { startsAt: string | null };

/** Destinations of a link that leads to one page, from the start. */
const NO_DESTINATIONS: RecordDestinations = {
  startsAt: null,
  goneUrl: null,
  card: null,
  rules: [],
};
export const DESTINATION_NAMES = Object.keys(NO_DESTINATIONS) as (keyof RecordDestinations)[];

/**
 * Returns all URLs of a link that browsers, or programs that show previews, are sent to, with the path of the field
 * that has each. The link's own target comes first. What is checked, blocked or searched are these, so a new field
 * with a URL belongs here.
 */
export function urlsOf({
  originalUrl,
  rules,
  goneUrl,
  card,
}: {
  originalUrl?: string | undefined;
  rules?: readonly Rule[] | undefined;
  goneUrl?: string | null | undefined;
  card?: Card | null | undefined;
}): { path: string; url: string }[] {
  const targets = (rules ?? []).map((rule, index) => ({
    path: `rules.${index}.originalUrl`,
    url: rule.originalUrl,
  }));
  return [
    ...(originalUrl === undefined ? [] : [{ path: 'originalUrl', url: originalUrl }]),
    ...targets,
    ...(goneUrl == null ? [] : [{ path: 'goneUrl', url: goneUrl }]),
    ...(card?.imageUrl === undefined ? [] : [{ path: 'card.imageUrl', url: card.imageUrl }]),
  ];
}
