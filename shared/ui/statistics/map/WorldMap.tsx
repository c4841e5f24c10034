import { formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { countryName } from '../value-names.ts';
/**
 * Outlines by ISO 3166-1 code, from 84° N to 57° S.
 *
 * Source: Natural Earth 1:110m (public domain), by way of https://github.com/topojson/world-atlas 2.0.2.
 */
import outlines from './world.json' with { type: 'json' };

const LEVELS = 4;

/** Renders where visitors come from. A table beside it has the numbers. */
export function WorldMap({ countries }: Pick<StatisticsReport, 'countries'>) {
  const people = new Map(countries.map(({ key, people }) => [key, people]));
  const known = Object.keys(outlines).map((code) => people.get(code) ?? 0);
  const most = Math.max(1, ...known);
  // Few countries have most of the visits: by logarithm, the others differ, too.
  const levelOf = (count: number) =>
    count === 0 ? 0 : Math.max(1, Math.ceil((LEVELS * Math.log1p(count)) / Math.log1p(most)));
  return (
    <svg class="world-map" viewBox="0 0 720 316" role="img" aria-label={t('map_label')}>
      {Object.entries(outlines).map(([code, path]) => {
        const count = people.get(code) ?? 0;
        return (
          <path key={code} class={`country level-${levelOf(count)}`} d={path}>
            {count > 0 && (
              <title>{t('visits_of_kind', countryName(code), formatNumber(count))}</title>
            )}
          </path>
        );
      })}
    </svg>
  );
}
