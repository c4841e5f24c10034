import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ImportReport } from '../../../../shared/links/transfer.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { FilesState } from './files-state.ts';

/** More would push the summary out of view. */
const ISSUES_SHOWN = 20;

/** How an import ended. */
export function ImportResult({ state }: { state: FilesState }) {
  const outcome = state.outcome.value;
  return (
    <div class="import-result" role="status">
      {outcome?.name === 'failed' && (
        <p class="import-error">
          <Icon name="alert" />
          {outcome.text}
        </p>
      )}
      {outcome?.name === 'imported' && <Report report={outcome.report} />}
    </div>
  );
}

function Report({ report }: { report: ImportReport }) {
  const { imported, renamed, duplicates, failed, results } = report;
  const issues = results.filter(({ status }) => status === 'failed');
  const left = issues.length - ISSUES_SHOWN;
  return (
    <>
      <p>
        {formatCount('import_added', imported + renamed)}{' '}
        {t('import_others', formatNumber(renamed), formatNumber(duplicates), formatNumber(failed))}
      </p>
      <ul class="issues">
        {issues.slice(0, ISSUES_SHOWN).map(({ row, message }) => (
          <li key={row}>{t('import_row_failed', formatNumber(row), message)}</li>
        ))}
      </ul>
      {left > 0 && <p>{t('import_more', formatNumber(left))}</p>}
    </>
  );
}
