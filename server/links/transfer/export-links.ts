import { BYTE_ORDER_MARK, toCsvLine } from '../../../shared/csv-injection.ts';
import { definitionOf, PLAIN_NAMES } from '../../../shared/links/fields.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import {
  EXPORT_VERSION,
  type ExportedLink,
  exportedLinkSchema,
} from '../../../shared/links/transfer.ts';
import {
  type FileFormat,
  MOVING_FORMATS,
  type MovingFormat,
} from '../../../shared/links/transfer-formats.ts';
import { assertStillAuthorized } from '../../accounts/caller.ts';
import type { Domains } from '../../domains/short-domains.ts';
import type { Authorization } from '../../store/account.ts';
import { type Link, linkBytes } from '../../store/link.ts';
import type {
  LinkConditions,
  LinkPage,
  LinkPageQuery,
  LinkPosition,
} from '../../store/link-calls.ts';
import type { Store } from '../../store/store.ts';
import { isoTime, toAliasFields, toSameFields } from '../link-fields.ts';
import { type FilterDependencies, LINK_FILTERS, toConditions } from '../manage/list-links.ts';
import { joinList } from './meaning/cells.ts';
import { movingHeader, movingLines } from './moving-out.ts';

export type ExportDependencies = FilterDependencies & { store: Store };

const PAGE_LINKS = 200;
/** A part of the file ends with the link that reaches it. */
const PART_BYTES = 64 * 1024;
const COLUMNS = Object.keys(exportedLinkSchema.shape) as (keyof ExportedLink)[];
/** Instead of what administrators must not see, so that their files can be imported, too. */
const PRIVATE_DEFAULTS = Object.fromEntries(
  PLAIN_NAMES.map((name) => ({ name, ...definitionOf(name) }))
    .filter(({ administratorsSeeIt }) => !administratorsSeeIt)
    .map(({ name, default: none }) => [name, none]),
);

export type ExportCall = {
  accountId: string;
  by: Authorization;
  format: FileFormat;
  secrets: boolean;
  /** @default all links */
  filter?: LinkFilter;
  /** Leaves out what administrators must not see. @default false */
  isForAdministrator?: boolean;
};

/**
 * Returns the text of a file with the links of an account that match and are not deleted, newest first, in parts.
 * Reads a page of links when the parts of the one before are used up.
 *
 * @throws ServiceError `invalid_domain` at first; see `authorize`, also in the middle
 * @see docs/api.md, "Import and export"
 */
export function exportLinks(
  dependencies: ExportDependencies,
  { accountId, by, format, secrets, filter = {}, isForAdministrator = false }: ExportCall,
): AsyncGenerator<string> {
  const { store, clock, domains } = dependencies;
  if (isForOthers(format)) return moving(format);
  return format === 'json' ? json() : csv();

  async function* links(): AsyncGenerator<ExportedLink[]> {
    const asked = toConditions(LINK_FILTERS, filter, dependencies);
    // Imported again, deleted links would work.
    const conditions = { accountId, ...asked, isDeleted: false };
    for await (const page of eachPage(store, conditions)) {
      // A client decides how long it reads.
      await assertStillAuthorized(by, store);
      for (const part of partsOf(page)) {
        yield part.map((link) => {
          const exported = toExportedLink(link, domains, secrets);
          return isForAdministrator ? { ...exported, ...PRIVATE_DEFAULTS } : exported;
        });
      }
    }
  }

  async function* json() {
    const exported = new Date(clock()).toISOString();
    const head = { curt: 'links', version: EXPORT_VERSION, exported };
    let before = `${JSON.stringify(head).slice(0, -1)},"links":[\n`;
    for await (const page of links()) {
      yield before + page.map((link) => JSON.stringify(link)).join(',\n');
      before = ',\n';
    }
    yield before === ',\n' ? '\n]}\n' : `${before}]}\n`;
  }

  async function* csv() {
    const columns = COLUMNS.filter((name) => secrets || name !== 'passwordHash');
    let before = BYTE_ORDER_MARK + toCsvLine(columns);
    for await (const page of links()) {
      yield before +
        page.map((link) => toCsvLine(columns.map((name) => toCell(link[name])))).join('');
      before = '';
    }
    yield before;
  }

  async function* moving(to: MovingFormat) {
    const options = { mainHost: domains.first.host, domain: filter.domain?.toLowerCase() };
    let before = movingHeader(to);
    for await (const page of links()) {
      yield before + page.map((link) => movingLines(to, link, options)).join('');
      before = '';
    }
    yield before;
  }
}

function isForOthers(format: FileFormat): format is MovingFormat {
  return (MOVING_FORMATS as readonly string[]).includes(format);
}

/** Yields the links that match, newest first, in pages. */
export async function* eachPage(
  store: Store,
  conditions: Pick<LinkPageQuery, 'accountId'> & LinkConditions,
): AsyncGenerator<Link[]> {
  let after: LinkPosition | null = null;
  do {
    // What was sent of a file can't be taken back.
    const query = { ...conditions, limit: PAGE_LINKS, after, waits: after !== null };
    const page: LinkPage = await store.listLinks(query);
    yield page.links;
    after = page.next;
  } while (after);
}

/** Yields a page in parts: as a whole, its text would be in memory until the client has read it. */
function* partsOf(links: readonly Link[]): Generator<Link[]> {
  let part: Link[] = [];
  let bytes = 0;
  for (const link of links) {
    part.push(link);
    bytes += linkBytes(link);
    if (bytes < PART_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

function toCell(value: ExportedLink[keyof ExportedLink]): string {
  if (Array.isArray(value) && value.length === 0) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return joinList(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? '');
}

/** @param withSecrets whether to include the hash of the password and `newerFields` */
function toExportedLink(link: Link, domains: Domains, withSecrets: boolean): ExportedLink {
  return {
    id: link.id,
    ...toAliasFields(link, domains),
    originalUrl: link.originalUrl,
    ...toSameFields(link),
    startsAt: link.startsAt === null ? null : isoTime(link.startsAt),
    hasPassword: link.passwordHash !== null,
    ...(withSecrets && { passwordHash: link.passwordHash }),
    ...(withSecrets && link.newerFields && { newerFields: link.newerFields }),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    hits: link.hits,
    isActive: link.isActive,
    created: isoTime(link.created),
    modified: isoTime(link.editedAt ?? link.created),
  };
}
