import type { ExportedLink } from '../../../shared/links/transfer.ts';
import type { MovingFormat } from '../../../shared/links/transfer-formats.ts';

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
 * What the importers read, by their code: Shlink's `CsvImporter`, whose tags have no escapes, and the plugin
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
      tags.map((tag) => tag.replaceAll('|', '/')).join('|'),
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
export function movingHeader(format: MovingFormat): string {
  return toLine(TABLES[format].header);
}

/**
 * Returns the lines of a link, one for each of its aliases; none if the other service would open what is paused,
 * limited or protected here, or could not read it.
 *
 * @param domain the only domain that was asked for
 */
export function movingLines(
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
    .map((address) => toLine(toCells(link, address, mainHost)))
    .filter((line) => Buffer.byteLength(line) <= lineMaxBytes)
    .join('');
}

function isOpenForGood(link: ExportedLink): boolean {
  const { isActive, hasPassword, startsAt, expiresAt, maxVisits } = link;
  return isActive && !hasPassword && startsAt === null && expiresAt === null && maxVisits === null;
}

/** A program reads it, to which the apostrophe before a formula would be a part of the text. */
function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
}
