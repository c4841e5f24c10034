import { BYTE_ORDER_MARK, toCsvLine, toSafeCsvLine } from '../../../shared/csv.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import { definitionOf, PLAIN_NAMES } from '../../../shared/links/plain-fields.ts';
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
import type { Store } from '../../store/store.ts';
import {
  eachPage,
  type FilterDependencies,
  LINK_FILTERS,
  toConditions,
} from '../manage/list-links.ts';
import { isoTime, toAliasFields, toSameFields } from '../to-link-record.ts';
import { toCell } from './meaning/field-values.ts';

export type ExportDependencies = FilterDependencies & { store: Store };

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
    let before = BYTE_ORDER_MARK + toSafeCsvLine(columns);
    for await (const page of links()) {
      yield before +
        page.map((link) => toSafeCsvLine(columns.map((name) => toCell(link[name])))).join('');
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

/** A table that another service imports. */
type MovingTable = {
  header: string[];
  /** @param mainHost host of the domain of `BASE_URL` */
  toCells(link: ExportedLink, address: { host: string; alias: string }, mainHost: string): string[];
  /** Whether there is room for one domain only: that of `BASE_URL`, or the one that was asked for. */
  hasOneDomain?: true;
  /** A longer line would be read as several. */
  lineMaxBytes?: number;
};

/**
 * What the importers read, by their code, to which the apostrophe before a formula would be a part of the text: Shlink's `CsvImporter`, whose tags have no escapes and are split at commas if there is one, and the plugin
 * "Import Export" of YOURLS, which gives `fgetcsv` 1,000 bytes.
 *
 * @see docs/moving-out.md
 */
const TABLES: Record<MovingFormat, MovingTable> = {
  shlink: {
    header: ['Long URL', 'Short code', 'Domain', 'Title', 'Tags'],
    toCells: ({ originalUrl, title, label, tags }, { host, alias }, mainHost) => [
      originalUrl,
      alias,
      host === mainHost ? '' : host,
      title || label,
      tags.map((tag) => tag.replaceAll(/[|,]/g, '/')).join('|'),
    ],
  },
  yourls: {
    header: ['source', 'target', 'hits'],
    toCells: ({ originalUrl, hits, alias: main }, { alias }) => [
      alias,
      originalUrl,
      // Previous aliases become links of their own.
      String(alias === main ? hits : 0),
    ],
    hasOneDomain: true,
    lineMaxBytes: 1000,
  },
};

/** Returns the header of a table for another service. */
function movingHeader(format: MovingFormat): string {
  return toCsvLine(TABLES[format].header);
}

/**
 * Returns the lines of a link, one for each of its aliases; none if the other service would open what is paused,
 * limited or protected here, or could not read it.
 *
 * @param domain the only domain that was asked for
 */
function movingLines(
  format: MovingFormat,
  link: ExportedLink,
  { mainHost, domain = mainHost }: { mainHost: string; domain?: string | undefined },
): string {
  if (!isOpenForGood(link)) return '';
  const { toCells, hasOneDomain, lineMaxBytes = Number.POSITIVE_INFINITY } = TABLES[format];
  return [link.alias, ...link.previousAliases]
    .map((each) => {
      const slash = each.lastIndexOf('/');
      const host = slash === -1 ? link.domain : each.slice(0, slash);
      return { host, alias: each.slice(slash + 1) };
    })
    .filter(({ host }) => !hasOneDomain || host === domain)
    .map((address) => toCsvLine(toCells(link, address, mainHost)))
    .filter((line) => Buffer.byteLength(line) <= lineMaxBytes)
    .join('');
}

function isOpenForGood(link: ExportedLink): boolean {
  const { isActive, hasPassword, startsAt, expiresAt, maxVisits } = link;
  return isActive && !hasPassword && startsAt === null && expiresAt === null && maxVisits === null;
}
