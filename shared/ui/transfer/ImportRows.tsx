import { useSignal } from '@preact/signals';
import { ENGLISH } from '../../i18n/english.ts';
import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { t, textOf } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import type { ImportReport } from '../../links/transfer.ts';
import { SelectField } from '../Field.tsx';
import type { ImportState, RowFilter } from './import-state.ts';
import { STATUS_LABELS } from './import-texts.ts';

const ROWS_IN_PREVIEW = 20;
const ROWS_AT_FIRST = 100;
const COUNTS = {
  imported: 'imported',
  renamed: 'renamed',
  updated: 'updated',
  duplicate: 'duplicates',
  failed: 'failed',
} as const;
const STATUSES = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/** Renders the rows of a preview or a report: the old and the new short URL, and everything to know. */
export function ImportRows({ state, report }: { state: ImportState; report: ImportReport }) {
  const more = useSignal(0);
  const first = report.dryRun ? ROWS_IN_PREVIEW : ROWS_AT_FIRST;
  const all = state.rows.value;
  const rows = all.slice(0, first + more.value);
  const left = all.length - rows.length;
  const withCount = (label: string, count: number) => t('label_of', label, formatNumber(count));
  const noted = report.results.filter(({ issues }) => issues.length > 0).length;
  const options: { value: RowFilter; label: string }[] = [
    { value: 'all', label: withCount(t('status_all'), report.rows) },
    { value: 'noted', label: withCount(t('import_noted'), noted) },
    ...STATUSES.filter((status) => report[COUNTS[status]] > 0).map((status) => ({
      value: status,
      label: withCount(t(STATUS_LABELS[status]), report[COUNTS[status]]),
    })),
  ];
  return (
    <>
      <SelectField
        label={t('import_show')}
        name="import-filter"
        options={options}
        value={state.filter.value}
        onChoose={state.show}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus. */}
      <section class="table-frame" tabIndex={0} aria-label={t('import_report')}>
        <table class="table import-rows">
          <thead>
            <tr>
              <th scope="col">{t('import_row')}</th>
              <th scope="col">{t('import_old')}</th>
              <th scope="col">{t('import_new')}</th>
              <th scope="col">{t('field_target')}</th>
              <th scope="col">{t('import_result')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, source, status, shortUrl, issues }) => (
              <tr key={row}>
                <td class="number">{formatNumber(row)}</td>
                <td dir="ltr">{withoutProtocol(source.shortUrl ?? source.alias ?? '–')}</td>
                <td dir="ltr">{withoutProtocol(shortUrl ?? '–')}</td>
                <td dir="ltr">{withoutProtocol(source.originalUrl ?? '–')}</td>
                <td class={status === 'failed' ? 'issue' : undefined}>
                  {textOf(STATUS_LABELS, status)}
                  {/* The server's messages are English. */}
                  {issues.map(({ field, message }, index) => (
                    <span class="import-issue" key={index} {...ENGLISH}>
                      {field && status === 'failed' ? `${field}: ${message}` : message}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            onClick={() => {
              more.value = all.length;
            }}
          >
            {formatCount('import_show_more', left)}
          </button>
        </div>
      )}
    </>
  );
}
