import type { PlainKey } from '../../../i18n/translate.ts';
import { lazy } from '../../lazy.ts';
import type { ShownReport, TopLink } from '../statistics-source.ts';
import { TopTable } from './TopTable.tsx';
import {
  countryRowName,
  deviceName,
  isCountry,
  referrerName,
  targetName,
  valueName,
} from './value-names.ts';

const WorldMap = lazy(async () => (await import('../map/WorldMap.tsx')).WorldMap);

type Kind = 'targets' | 'referrers' | 'countries' | 'browsers' | 'systems' | 'devices';

const KINDS: [kind: Kind, title: PlainKey, nameOf: (key: string) => string][] = [
  ['targets', 'top_targets', targetName],
  ['referrers', 'top_referrers', referrerName],
  ['countries', 'top_countries', countryRowName],
  ['browsers', 'top_browsers', valueName],
  ['systems', 'top_systems', valueName],
  ['devices', 'top_devices', deviceName],
];

export type TopTablesProps = {
  report: ShownReport;
  /** The page with the statistics of a link. */
  linkUrl(link: TopLink): string;
};

/** The most visited links, where visitors come from, and what they use. */
export function TopTables({ report, linkUrl }: TopTablesProps) {
  const links = (report.topLinks ?? []).map((link) => ({
    key: link.alias,
    name: link.title || link.shortUrl.replace(/^https?:\/\//, ''),
    people: link.people,
    url: linkUrl(link),
  }));
  return (
    <div class="tops">
      {links.length > 0 && <TopTable title={'nav_links'} rows={links} />}
      {KINDS.map(([kind, title, nameOf]) =>
        report[kind]?.length ? (
          <TopTable key={kind} title={title} rows={toRows(report[kind], nameOf)}>
            {kind === 'countries' && report.countries.some(({ key }) => isCountry(key)) && (
              <WorldMap countries={report.countries} />
            )}
          </TopTable>
        ) : null,
      )}
    </div>
  );
}

function toRows(rows: ShownReport['referrers'], nameOf: (key: string) => string) {
  return rows.map(({ key, people }) => ({ key, name: nameOf(key), people }));
}
