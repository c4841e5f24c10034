import { formatNumber } from '../../i18n/plural.ts';
import { shownLanguage, t } from '../../i18n/translate.ts';
import type { StatisticsReport } from '../../statistics.ts';
import { COUNT_LABELS } from './series.ts';

/** Visits and visitors of all periods, and how they have changed. */
export function Totals({ report: { totals, previous } }: { report: StatisticsReport }) {
  return (
    <dl class="totals card">
      {(['people', 'uniquePeople'] as const).map((name) => (
        <div key={name}>
          <dt>{t(COUNT_LABELS[name])}</dt>
          <dd>{formatNumber(totals[name])}</dd>
          {previous[name] > 0 && <Change share={totals[name] / previous[name] - 1} />}
        </div>
      ))}
    </dl>
  );
}

function Change({ share }: { share: number }) {
  const format = new Intl.NumberFormat(shownLanguage(), {
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
