import { t } from '../../../i18n/translate.ts';
import { COUNT_LABELS, SERIES } from '../series.ts';
import type { StatisticsState } from '../state/statistics-state.ts';

/** The colors of the chart, and what of it is shown. */
export function Legend({ state }: { state: StatisticsState }) {
  return (
    <fieldset class="chart-legend">
      <legend class="visually-hidden">{t('chart_shown')}</legend>
      {SERIES.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={state.shownSeries.value.includes(name)}
            onChange={(event) => state.showSeries(name, event.currentTarget.checked)}
          />
          <svg class="chart-swatch" aria-hidden="true">
            <rect class={`chart-bar ${name}`} width="100%" height="100%" />
            {name === 'previews' && <path class="chart-hatch" d="M0 12 12 0M0 6 6 0M6 12l6-6" />}
          </svg>
          {t(COUNT_LABELS[name])}
        </label>
      ))}
    </fieldset>
  );
}
