import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import { ImportReport } from './ImportReport.tsx';
import type { ImportState } from './import-state.ts';

/** Chooses a file, shows what an import would do, and imports it. */
export function ImportSection({ state }: { state: ImportState }) {
  const report = state.report.value;
  const canImport = report?.dryRun === true && report.imported + report.renamed > 0;
  return (
    <section class="card" aria-labelledby="import-heading">
      <h2 id="import-heading" tabIndex={-1}>
        {t('import_heading')}
      </h2>
      <p class="intro">{t('import_intro')}</p>
      <div class="form-line">
        <InputField
          label={t('field_import_file')}
          issue={state.fileIssue.value}
          class="input file-input"
          type="file"
          name="import-file"
          accept=".json,.csv,.tsv,.txt,application/json,text/csv"
          // Without a file, the browser reports the choice of the same one, which may have changed.
          onClick={(event) => {
            event.currentTarget.value = '';
          }}
          onCancel={() => state.choose(undefined)}
          onChange={(event) => state.choose(event.currentTarget.files?.[0])}
        />
      </div>
      <div class="buttons">
        <button
          type="button"
          class={canImport ? 'button' : 'button primary'}
          aria-disabled={state.isBusy.value}
          onClick={() => state.run(true)}
        >
          {t('import_check')}
        </button>
        {canImport && (
          <button
            type="button"
            class="button primary"
            aria-disabled={state.isBusy.value}
            onClick={(event) => restoreFocusAfter(event.currentTarget, () => state.run(false))}
          >
            {t('import_now')}
          </button>
        )}
      </div>
      <p class="note" role="status">
        {state.isBusy.value && t(state.isDryRun.value ? 'import_checking' : 'import_busy')}
      </p>
      <FailureNote failure={state.failure.value} />
      {report && <ImportReport report={report} />}
    </section>
  );
}
