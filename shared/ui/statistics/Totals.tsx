import { formatNumber } from '../../i18n/plural.ts';
import { formatTag, t } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';
import { COUNT_LABELS } from './series.ts';

/** Visits and visitors of all periods, and how they have changed. */
export function Totals({ report }: { report: StatisticsReport }) {
  const { totals, previous, unit, series } = report;
  // Who came before the period, on the same day (UTC), is no visitor of it.
  const lacksVisitors = series.some(({ people, uniquePeople }) => people > 0 && uniquePeople === 0);
  return (
    <section class="card">
      <dl class="totals">
        {(['people', 'uniquePeople'] as const).map((name) => (
          <div key={name}>
            <dt>{t(COUNT_LABELS[name])}</dt>
            <dd>{formatNumber(totals[name])}</dd>
            {previous[name] > 0 && <Change share={totals[name] / previous[name] - 1} />}
          </div>
        ))}
      </dl>
      {(lacksVisitors || unit === 'hour') && totals.people > 0 && (
        <p class="hint">{t('visitors_once')}</p>
      )}
    </section>
  );
}

function Change({ share }: { share: number }) {
  const format = new Intl.NumberFormat(formatTag(), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  return (
    <dd class={share < 0 ? 'total-change less' : 'total-change'}>
      {t('change_previous', format.format(share))}
    </dd>
  );
}
