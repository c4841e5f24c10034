import { formatNumber } from '../../i18n/plural.ts';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { COUNT_LABELS, type Counts } from './series.ts';

/** The sums of all periods. */
export function Totals({ totals }: { totals: Counts }) {
  return (
    <dl class="totals card">
      {(Object.entries(COUNT_LABELS) as [keyof Counts, PlainKey][]).map(([name, label]) => (
        <div key={name}>
          <dt>{t(label)}</dt>
          <dd>{formatNumber(totals[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
