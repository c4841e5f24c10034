import '../../../../shared/ui/styles/table.css';
import { useSignal } from '@preact/signals';
import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ImportedRow, ImportReport as Report } from '../../../../shared/links/transfer.ts';

const ROWS_AT_FIRST = 100;

const STATUS_LABELS = {
  imported: 'import_status_imported',
  renamed: 'import_status_renamed',
  duplicate: 'import_status_duplicate',
  failed: 'import_status_failed',
} as const satisfies Record<ImportedRow['status'], string>;

/** What became of each row, or would become of it. */
export function ImportReport({ report }: { report: Report }) {
  const shown = useSignal(ROWS_AT_FIRST);
  const rows = report.results.slice(0, shown.value);
  const left = report.results.length - rows.length;
  const added = report.imported + report.renamed;
  return (
    <div class="rows">
      <p role="status">
        <strong>{formatCount(report.dryRun ? 'import_would_add' : 'import_added', added)}</strong>{' '}
        {t(
          'import_others',
          formatNumber(report.renamed),
          formatNumber(report.duplicates),
          formatNumber(report.failed),
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus. */}
      <section class="table-scroll" tabIndex={0} aria-label={t('import_report')}>
        <table class="import-report">
          <thead>
            <tr>
              <th scope="col">{t('import_row')}</th>
              <th scope="col">{t('import_alias')}</th>
              <th scope="col">{t('import_result')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, status, alias, message }) => (
              <tr key={row}>
                <td>{formatNumber(row)}</td>
                <td dir="ltr">{alias ?? '–'}</td>
                <td class={status === 'failed' ? 'issue' : undefined}>
                  {t(STATUS_LABELS[status])}
                  {message && ': '}
                  {/* The server's messages are English. */}
                  {message && <span lang="en">{message}</span>}
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
              shown.value = report.results.length;
            }}
          >
            {formatCount('import_show_more', left)}
          </button>
        </div>
      )}
    </div>
  );
}
