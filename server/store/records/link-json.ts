import type { Link, LinkFields } from '../link.ts';

/**
 * A link as JSON, without its id, which is the key of its record. Default values are omitted. It may have fields of
 * a newer version, which shares the database or has used the folder before.
 */
export type LinkJson = Omit<LinkFields, 'id' | 'newerFields'>;

/** What a link has that does not have it of its own. Nobody changes the arrays. */
const LINK_DEFAULTS = {
  aliasIsCustom: false,
  previousAliases: [],
  title: '',
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
  isActive: true,
  editedAt: null,
  deletedAt: null,
  version: 1,
  importKey: null,
  newerFields: null,
} satisfies Partial<Link>;

type DefaultName = keyof typeof LINK_DEFAULTS;

class StoredLink implements Omit<Link, DefaultName> {
  readonly id: string;
  accountId: string;
  readonly alias: string;
  readonly originalUrl: string;
  readonly targetUrl: string;
  readonly created: number;
  hits: number;

  constructor(id: string, fields: LinkJson) {
    this.id = id;
    this.accountId = fields.accountId;
    this.alias = fields.alias;
    this.originalUrl = fields.originalUrl;
    this.targetUrl = fields.targetUrl ?? fields.originalUrl;
    this.created = fields.created;
    this.hits = fields.hits ?? 0;
  }
}
Object.assign(StoredLink.prototype, LINK_DEFAULTS);

export function toLink({ id, newerFields, ...fields }: LinkFields): Link {
  return fromLinkJson(id, { ...newerFields, ...fields });
}

/** A copy with changes. */
export function changedLink(link: Link, changes: Partial<LinkFields>): Link {
  return toLink({ ...storedFieldsOf(link), ...changes });
}

export function fromLinkJson(id: string, json: LinkJson): Link {
  const link = new StoredLink(id, json) as StoredLink & Record<string, unknown>;
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
  if (newerFields) link.newerFields = Object.fromEntries(newerFields);
  return link as unknown as Link;
}

export function toLinkJson(link: Link): LinkJson {
  const { id: _, targetUrl, hits, newerFields, ...json } = storedFieldsOf(link);
  return {
    ...newerFields,
    ...json,
    ...(targetUrl !== json.originalUrl && { targetUrl }),
    ...(hits !== 0 && { hits }),
  };
}

/** Those that a link does not have have their default. */
function storedFieldsOf(link: Link): LinkFields {
  return link;
}

function isDefault(name: DefaultName, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === LINK_DEFAULTS[name];
}
