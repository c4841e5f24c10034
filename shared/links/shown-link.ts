import { DESTINATION_NAMES, NO_DESTINATIONS, type RecordDestinations } from './destinations.ts';
import { isEmpty, mapFields, PLAIN_NAMES, type PlainField, type PlainValues } from './fields.ts';
import type { LinkRecord } from './link-record.ts';
import type { LinkStatus } from './link-status.ts';

/** A link as lists show it. It never contains the account's token. */
export type ShownLink = {
  shortUrl: string;
  originalUrl: string;
  title: string;
  /** ISO 8601, UTC. */
  created: string;
  /** ISO 8601, UTC; null if the link never expires. */
  expiresAt: string | null;
  hasPassword: boolean;
  waitTimer: number;
  /** Whether the link loads a tag-manager container. */
  hasContainer?: true | undefined;
  /** Visitors on each of the last 30 days (UTC), oldest first, as far as they are known. */
  visits30?: number[] | undefined;
  /** What the server said last. Absent for short links of other services. */
  serverState?: ServerState | undefined;
};

/** Fields with their default are absent. */
export type ServerState = {
  id: string;
  version: number;
  /** @default active */
  status?: LinkStatus | undefined;
  /** @default 0 */
  hits?: number | undefined;
  maxVisits?: number | undefined;
  manyWrongPasswords?: true | undefined;
  previousAliases?: string[] | undefined;
} & { [K in ServerPlainField]?: PlainValues[K] | undefined } & {
  [K in keyof RecordDestinations]?: RecordDestinations[K] | undefined;
};

/** The plain fields that only links of Curt servers have. */
export type ServerPlainField = Exclude<PlainField, 'title' | 'waitTimer'>;
const isInServerState = (name: PlainField) => name !== 'title' && name !== 'waitTimer';

export function toShownLink(record: LinkRecord): ShownLink {
  const { shortUrl, originalUrl, title, created, expiresAt, hasPassword, waitTimer } = record;
  return {
    shortUrl,
    originalUrl,
    title,
    created,
    expiresAt,
    hasPassword,
    waitTimer,
    ...(record.customGtmId !== null && { hasContainer: true }),
    ...(record.visits30 && { visits30: record.visits30 }),
    serverState: toServerState(record),
  };
}

export function toServerState(record: LinkRecord): ServerState {
  const { id, version, status, hits, maxVisits } = record;
  const names = [...PLAIN_NAMES.filter(isInServerState), ...DESTINATION_NAMES];
  const given = names.filter((name) => !isEmpty(record[name]));
  return {
    id,
    version,
    ...(status !== 'active' && { status }),
    ...(hits > 0 && { hits }),
    ...(maxVisits !== null && { maxVisits }),
    ...(record.manyWrongPasswords && { manyWrongPasswords: true }),
    ...(record.previousAliases.length > 0 && { previousAliases: record.previousAliases }),
    ...Object.fromEntries(given.map((name) => [name, record[name]])),
  };
}

/** The plain fields of a link. Those that only links of Curt servers have are empty for others. */
export function plainValuesOf({ title, waitTimer, serverState }: ShownLink): PlainValues {
  const values = mapFields<PlainValues>(
    (name, { default: none }) => serverState?.[name as ServerPlainField] ?? none,
  );
  return { ...values, title, waitTimer };
}

/** Where visits of a link lead besides its own target, and from when. */
export function destinationsOf({ serverState }: ShownLink): RecordDestinations {
  const values = DESTINATION_NAMES.map((name) => [
    name,
    serverState?.[name] ?? NO_DESTINATIONS[name],
  ]);
  return Object.fromEntries(values);
}

/** Identifies a link in a list, also after it got another alias. */
export function keyOf({ serverState, shortUrl }: ShownLink): string {
  return serverState?.id ?? shortUrl;
}

export function statusOf({ serverState }: ShownLink): LinkStatus {
  return serverState?.status ?? 'active';
}

/** Which link it is to the client of the API, on whatever domain: `go.example/sale`. */
export function addressOf({ shortUrl }: Pick<ShownLink, 'shortUrl'>): string {
  return `${hostOf({ shortUrl })}/${aliasOf({ shortUrl })}`;
}

/** The host of a short URL, with its port. */
export function hostOf({ shortUrl }: Pick<ShownLink, 'shortUrl'>): string {
  return new URL(shortUrl).host;
}

/** The alias in a short URL. */
export function aliasOf({ shortUrl }: Pick<ShownLink, 'shortUrl'>): string {
  return decodeURIComponent(new URL(shortUrl).pathname.slice(1));
}

/** Sorts by creation time, then by short URL, so that the order is the same everywhere. */
export function newestFirst(one: ShownLink, other: ShownLink): number {
  const byTime = Date.parse(other.created) - Date.parse(one.created);
  if (byTime !== 0) return byTime;
  return one.shortUrl < other.shortUrl ? -1 : 1;
}
