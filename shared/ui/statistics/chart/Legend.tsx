import { t } from '../../../i18n/translate.ts';
import { COUNT_LABELS } from '../series.ts';
import type { StatisticsState } from '../state/statistics-state.ts';

/** The switch for previews and bots, and the colors of the chart once there are several. */
export function Legend({ state }: { state: StatisticsState }) {
  const shown = state.shownSeries.value;
  return (
    <div class="chart-legend">
      {shown.length > 1 &&
        shown.map((name) => (
          <span key={name}>
            <svg class="chart-swatch" aria-hidden="true">
              <rect class={`chart-bar ${name}`} width="100%" height="100%" />
              {name === 'previews' && <path class="chart-hatch" d="M0 12 12 0M0 6 6 0M6 12l6-6" />}
            </svg>
            {t(COUNT_LABELS[name])}
          </span>
        ))}
      <label>
        <input
          type="checkbox"
          checked={state.showsBots.value}
          onChange={(event) => state.showBots(event.currentTarget.checked)}
        />
        {t('include_bots')}
      </label>
    </div>
  );
}
