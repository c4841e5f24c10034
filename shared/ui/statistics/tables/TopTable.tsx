import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { formatNumber } from '../../../i18n/plural.ts';
import { formatTag, type PlainKey, t } from '../../../i18n/translate.ts';

export type TopRow = {
  key: string;
  name: string;
  people: number;
  /** The page with the statistics of this row alone. */
  url?: string;
};

export type TopTableProps = {
  title: PlainKey;
  /** Most frequent first. */
  rows: TopRow[];
  /** Above the rows. */
  children?: ComponentChildren;
};

/** Rows that are shown at first. */
const FEW = 6;

/** The most frequent values of one kind. */
export function TopTable({ title, rows, children }: TopTableProps) {
  const isLong = useSignal(false);
  const sum = rows.reduce((total, { people }) => total + people, 0);
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
