import { useSignal } from '@preact/signals';
import { formatNumber } from '../../../i18n/plural.ts';
import { type PlainKey, shownLanguage, t } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';

export type TopTableProps = {
  title: PlainKey;
  /** Most frequent first. */
  rows: StatisticsReport['referrers'];
  nameOf(key: string): string;
};

/** Rows that are shown at first. */
const FEW = 6;

/** The most frequent values of one kind. */
export function TopTable({ title, rows, nameOf }: TopTableProps) {
  const isLong = useSignal(false);
  const sum = rows.reduce((total, { people }) => total + people, 0);
  const percent = new Intl.NumberFormat(shownLanguage(), {
    style: 'percent',
    maximumFractionDigits: 0,
  });
  const shown = isLong.value ? rows : rows.slice(0, FEW);
  return (
    <div class="card top">
      <table class="table">
        <caption>{t(title)}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('top_value')}</th>
            <th scope="col">{t('visits_people')}</th>
            <th scope="col">{t('top_share')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, people }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{nameOf(key)}</bdi>
                <svg class="share" aria-hidden="true">
                  <rect width={`${(people / sum) * 100}%`} height="100%" />
                </svg>
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
    </div>
  );
}
