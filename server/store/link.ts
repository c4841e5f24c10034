import { LINK_TARGETS_MAX_BYTES, RESTORABLE_MS } from '../../shared/bounds.ts';
import {
  type Card,
  type Destinations,
  type Rule,
  urlsOf,
} from '../../shared/links/destinations.ts';
import type { LinkStatus } from '../../shared/links/link-status.ts';

/**
 * A link as stores hold it. Times are milliseconds since the epoch, UTC. `fromLinkJson` makes one, and `changedLink`
 * a changed copy.
 *
 * An object has only the fields that differ from `LINK_DEFAULTS`, which its prototype has: of a million links,
 * most have few. A spread would lose the others; so that the compiler says so, they are accessors here.
 */
export abstract class Link implements Destinations {
  readonly id: string;
  accountId: string;
  /**
   * As written; lookups ignore case. On another domain than that of `BASE_URL`, with its host in front:
   * `go.example/sale`. So an alias is unique and stays with its account on each domain by itself, and no
   * store knows of domains. The same holds for previous aliases and wherever else a store is given one.
   */
  readonly alias: string;
  /** Whether the alias was requested and not generated. */
  abstract get aliasIsCustom(): boolean;
  /** Earlier aliases, which still lead to the link, oldest first. At most `PREVIOUS_ALIASES_MAX`. */
  abstract get previousAliases(): readonly string[];
  /** As sent by the client. */
  readonly originalUrl: string;
  /** The URL serialized by the WHATWG URL parser, so that visits do not have to parse it. */
  readonly targetUrl: string;
  abstract get title(): string;
  /** What only its account sees. */
  abstract get label(): string;
  abstract get description(): string | null;
  /** As written, trimmed, without duplicates; lookups ignore case. */
  abstract get tags(): string[];
  /** Argon2id, in PHC string format. */
  abstract get passwordHash(): string | null;
  abstract get rules(): Rule[];
  abstract get goneUrl(): string | null;
  abstract get card(): Card | null;
  /** Before it, the link does not work yet. */
  abstract get startsAt(): number | null;
  /** Whether visitors learn nothing of the link before `startsAt`. */
  abstract get hideUntilStart(): boolean;
  abstract get expiresAt(): number | null;
  /** The link is used up once `hits` reaches it. */
  abstract get maxVisits(): number | null;
  abstract get waitTimer(): number;
  abstract get customGtmId(): string | null;
  /** Whether the query of a visit is added to the target. */
  abstract get forwardQuery(): boolean;
  /** Whether everybody can see its statistics. */
  abstract get publicStats(): boolean;
  abstract get isActive(): boolean;
  /** When the link was deleted; null if it was not. Restorable until `RESTORABLE_MS` later. */
  abstract get deletedAt(): number | null;
  hits: number;
  readonly created: number;
  /** When it was last edited; null if it was not. */
  abstract get editedAt(): number | null;
  /** 1 for a new link, and one more with each edit. Hits do not change it. */
  abstract get version(): number;
  /** Identifies the row of the import that made the link, so that no import adds it again. */
  abstract get importKey(): string | null;
  /** The import that made the link, by which all of its links are found. */
  abstract get importId(): string | null;
  /** What a newer version has stored of the link. This one keeps it as it is. */
  abstract get newerFields(): Readonly<Record<string, unknown>> | null;

  constructor(id: string, json: LinkJson) {
    this.id = id;
    this.accountId = json.accountId;
    this.alias = json.alias;
    this.originalUrl = json.originalUrl;
    this.targetUrl = json.targetUrl ?? json.originalUrl;
    this.created = json.created;
    this.hits = json.hits ?? 0;
  }
}

/**
 * A link as JSON, without its id, which is the key of its record. Default values are omitted. It may have fields of
 * a newer version, which shares the database or has used the folder before.
 */
export type LinkJson = Pick<Link, 'accountId' | 'alias' | 'originalUrl' | 'created'> & {
  [K in Exclude<keyof Link, 'id'>]?: Link[K] | undefined;
};

/** What a link has that does not have it of its own. Nobody changes the arrays. */
const LINK_DEFAULTS = {
  aliasIsCustom: false,
  previousAliases: [],
  title: '',
  label: '',
  description: null,
  tags: [],
  passwordHash: null,
  rules: [],
  goneUrl: null,
  card: null,
  startsAt: null,
  hideUntilStart: false,
  expiresAt: null,
  maxVisits: null,
  waitTimer: 0,
  customGtmId: null,
  forwardQuery: false,
  publicStats: false,
  isActive: true,
  editedAt: null,
  deletedAt: null,
  version: 1,
  importKey: null,
  importId: null,
  newerFields: null,
} satisfies Partial<Link>;

type DefaultName = keyof typeof LINK_DEFAULTS;

Object.assign(Link.prototype, LINK_DEFAULTS);
/** What is abstract is in the prototype. */
const ConcreteLink = Link as unknown as new (id: string, json: LinkJson) => Link;

/** Returns a copy with changes. */
export function changedLink(link: Link, changes: Partial<LinkJson>): Link {
  return fromLinkJson(link.id, { ...ownFieldsOf(link), ...changes });
}

/** Whether an alias leads to a link, and is not only reserved. */
export function isLink<Holder extends object>(
  holder: Holder | undefined,
): holder is Extract<Holder, Pick<Link, 'id'>> {
  return holder !== undefined && 'id' in holder;
}

export function fromLinkJson(id: string, json: LinkJson): Link {
  const link = new ConcreteLink(id, json) as Link & Record<string, unknown>;
  let newerFields: [name: string, value: unknown][] | undefined;
  for (const name in json) {
    const value = json[name as keyof LinkJson];
    if (Object.hasOwn(LINK_DEFAULTS, name)) {
      if (!isDefault(name as DefaultName, value)) link[name] = value;
    } else if (!Object.hasOwn(link, name)) {
      newerFields ??= [];
      newerFields.push([name, value]);
    }
  }
  if (newerFields) Object.assign(link, { newerFields: Object.fromEntries(newerFields) });
  return link;
}

export function toLinkJson(link: Link): LinkJson {
  const { id: _, targetUrl, hits, newerFields, ...json } = ownFieldsOf(link);
  return {
    ...newerFields,
    ...json,
    ...(targetUrl !== json.originalUrl && { targetUrl }),
    ...(hits !== 0 && { hits }),
  };
}

/** The fields that an object has itself: those that differ from their defaults. */
function ownFieldsOf(link: Link): LinkJson & Pick<Link, 'id'> {
  return link;
}

function isDefault(name: DefaultName, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === LINK_DEFAULTS[name];
}

const MODEST_URL_CHARACTERS = 1024;

/**
 * Whether a link has what makes links large. All other texts of a link have at most 10 kB, so a page of links
 * without it has no more than about 1 MiB.
 */
export function mayBeLarge({ originalUrl, rules, card, goneUrl }: Link): boolean {
  const isModest = originalUrl.length <= MODEST_URL_CHARACTERS;
  return !isModest || rules.length > 0 || card !== null || goneUrl !== null;
}

/** Returns the host that an alias in the store begins with; undefined for one on the domain of `BASE_URL`. */
export function hostOfAlias(storedAlias: string): string | undefined {
  const slash = storedAlias.indexOf('/');
  return slash === -1 ? undefined : storedAlias.slice(0, slash).toLowerCase();
}

/** The bytes of a link's stored size that count as one against a quota. */
const QUOTA_UNIT_BYTES = 4096;

/** Returns the stored size of what people write into a link: pausing or deleting one does not make it larger. */
export function linkBytes(link: Link): number {
  const { isActive: _a, deletedAt: _d, editedAt: _e, version: _v, ...content } = toLinkJson(link);
  return Buffer.byteLength(JSON.stringify(content));
}

/** Returns what a link of this size counts against a quota. At least 1. */
export function unitsOf(bytes: number): number {
  return Math.ceil(bytes / QUOTA_UNIT_BYTES);
}

/** Returns the size of a link that is not in the store yet, for the dry run of an import. */
export function measure(json: LinkJson): { units: number; hasTooLongTargets: boolean } {
  const link = fromLinkJson('', json);
  return { units: unitsOf(linkBytes(link)), hasTooLongTargets: hasTooLongTargets(link) };
}

/** Whether all URLs of a link together are too long. */
export function hasTooLongTargets(link: Link): boolean {
  const { targetUrl: originalUrl, rules, goneUrl, card } = link;
  const bytes = urlsOf({ originalUrl, rules, goneUrl, card }).reduce(
    (sum, { url }) => sum + Buffer.byteLength(url),
    0,
  );
  return bytes > LINK_TARGETS_MAX_BYTES;
}

/**
 * Returns what a link is for its visitors at a time. Only an active link leads to its targets.
 *
 * @param now milliseconds since the epoch
 */
export function linkStatus(
  link: Link,
  now: number,
  blocks: { isBlocked(link: Link): boolean },
): LinkStatus {
  if (link.deletedAt !== null) return 'deleted';
  if (blocks.isBlocked(link)) return 'blocked';
  if (!link.isActive) return 'inactive';
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired';
  if (link.maxVisits !== null && link.hits >= link.maxVisits) return 'used_up';
  if (link.startsAt !== null && now < link.startsAt) return 'scheduled';
  return 'active';
}

/**
 * Whether the link was deleted too long ago to be restored, although it may not be erased yet.
 *
 * @param now see `Store.certainTime`
 */
export function isGone({ deletedAt }: Pick<Link, 'deletedAt'>, now: number): boolean {
  return deletedAt !== null && deletedAt + RESTORABLE_MS <= now;
}
