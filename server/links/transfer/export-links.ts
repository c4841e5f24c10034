import { escapeFormula } from '../../../shared/csv-injection.ts';
import { definitionOf, PLAIN_NAMES } from '../../../shared/links/fields.ts';
import {
  EXPORT_VERSION,
  type ExportedLink,
  type ExportFormat,
  exportedLinkSchema,
} from '../../../shared/links/transfer.ts';
import { assertStillAuthorized } from '../../accounts/authorization.ts';
import type { ShortDomains } from '../../domains/short-domains.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Authorization } from '../../store/account.ts';
import type { Link } from '../../store/link.ts';
import { linkBytes } from '../../store/link-size.ts';
import type { Store } from '../../store/store.ts';
import { eachPage } from './each-page.ts';
import { joinList } from './formats/list-cell.ts';
import { toExportedLink } from './to-exported-link.ts';

export type ExportDependencies = { store: Store; clock: Clock; domains: ShortDomains };

/** A part of the file ends with the link that reaches it. */
const PART_BYTES = 64 * 1024;
/** Spreadsheets need it to detect UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
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
  format: ExportFormat;
  secrets: boolean;
  /** Leaves out what administrators must not see. @default false */
  isForAdministrator?: boolean;
};

/**
 * The text of a file with all links of an account that are not deleted, newest first, in parts. Reads a
 * page of links when the parts of the one before are used up.
 *
 * @throws ServiceError see `authorize`, also in the middle
 * @see docs/api.md, "Import and export"
 */
export function exportLinks(
  { store, clock, domains }: ExportDependencies,
  { accountId, by, format, secrets, isForAdministrator = false }: ExportCall,
): AsyncGenerator<string> {
  return format === 'json' ? json() : csv();

  async function* links(): AsyncGenerator<ExportedLink[]> {
    for await (const page of eachPage(store, accountId, ({ deletedAt }) => deletedAt === null)) {
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
    let before = BYTE_ORDER_MARK + toLine(columns);
    for await (const page of links()) {
      yield before + page.map((link) => toLine(columns.map((name) => toCell(link[name])))).join('');
      before = '';
    }
    yield before;
  }
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

/** RFC 4180. All cells are quoted. */
function toLine(cells: string[]): string {
  const quoted = cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`);
  return `${quoted.join(',')}\r\n`;
}

function toCell(value: ExportedLink[keyof ExportedLink]): string {
  if (Array.isArray(value) && value.length === 0) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return joinList(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? '');
}
