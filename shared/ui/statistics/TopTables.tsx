import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../i18n/plural.ts';
import { formatTag, type PlainKey, t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import { lazy } from '../lazy.ts';
import { formatDays, type ShownReport, type TopLink } from './report.ts';
import {
  countryRowName,
  deviceName,
  isCountry,
  referrerName,
  targetName,
  valueName,
} from './value-names.ts';

const WorldMap = lazy(async () => (await import('./map/WorldMap.tsx')).WorldMap);

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

/** Renders the most visited links, where visitors come from, and what they use. */
export function TopTables({ report, linkUrl }: TopTablesProps) {
  const links = (report.topLinks ?? []).map((link) => ({
    key: link.alias,
    name: link.title || link.label || withoutProtocol(link.shortUrl),
    people: link.people,
    url: linkUrl(link),
  }));
  const others = report.otherLinks ?? 0;
  if (others > 0) links.push({ key: 'other', name: t('value_other'), people: others, url: '' });
  const values = {
    ...report,
    // Without a header from a proxy, no country is known.
    countries: report.countries.some(({ key }) => isCountry(key)) ? report.countries : [],
  };
  return (
    <div class="tops">
      {links.length > 0 && <TopTable title={'nav_links'} rows={links} />}
      {KINDS.map(([kind, title, nameOf]) =>
        values[kind]?.length ? (
          <TopTable key={kind} title={title} rows={toRows(values[kind], nameOf)}>
            {kind === 'countries' && <WorldMap countries={values.countries} />}
          </TopTable>
        ) : null,
      )}
    </div>
  );
}

function toRows(rows: ShownReport['referrers'], nameOf: (key: string) => string) {
  return rows.map(({ key, people }) => ({ key, name: nameOf(key), people }));
}

type TopRow = {
  key: string;
  name: string;
  people: number;
  /** The page with the statistics of this row alone, if there is one. */
  url?: string;
};

type TopTableProps = {
  title: PlainKey;
  /** Most frequent first. */
  rows: TopRow[];
  /** Above the rows. */
  children?: ComponentChildren;
};

/** Rows that are shown at first. */
const FEW = 6;

/** The most frequent values of one kind. */
function TopTable({ title, rows, children }: TopTableProps) {
  const isLong = useSignal(false);
  const sum = Math.max(
    1,
    rows.reduce((total, { people }) => total + people, 0),
  );
  const percent = new Intl.NumberFormat(formatTag(), {
    style: 'percent',
    maximumFractionDigits: 0,
  });
  const shown = isLong.value ? rows : rows.slice(0, FEW);
  return (
    <section class="card top">
      <h2>{t(title)}</h2>
      {children}
      <table class="table">
        <caption class="visually-hidden">{t(title)}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('top_value')}</th>
            <th scope="col">{t('visits_people')}</th>
            <th scope="col">{t('top_share')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, people, url }) => (
            <tr key={key}>
              <th scope="row">
                <svg class="share" aria-hidden="true">
                  <rect width={`${(people / sum) * 100}%`} height="100%" />
                </svg>
                {url ? (
                  <a href={url}>
                    <bdi>{name}</bdi>
                  </a>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </th>
              <td class="number">{formatNumber(people)}</td>
              <td class="number percent">{percent.format(people / sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > FEW && (
        <button
          type="button"
          class="button plain"
          aria-expanded={isLong.value}
          onClick={() => {
            isLong.value = !isLong.value;
          }}
        >
          {t(isLong.value ? 'show_less' : 'show_all')}
        </button>
      )}
    </section>
  );
}

/** Renders which days the tables count, if they are not those of the numbers above: then they don't add up to them. */
export function CoveredDays({
  report: { from, to, valuesFrom, valuesTo },
}: {
  report: ShownReport;
}) {
  if (!valuesFrom || !valuesTo || (valuesFrom === from && valuesTo === to)) return null;
  return <p class="hint">{t('tops_cover', formatDays(valuesFrom, valuesTo))}</p>;
}
