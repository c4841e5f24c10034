import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { FilesState } from './files-state.ts';
import { ImportResult } from './ImportResult.tsx';

/** How an import goes, and how it ended. */
export function ImportStatus({ state }: { state: FilesState }) {
  const progress = state.progress.value;
  return (
    <>
      {progress && <ImportBar {...progress} />}
      <div class="import-result" role="status">
        {state.outcome.value && <ImportResult outcome={state.outcome.value} />}
      </div>
    </>
  );
}

/** Outside the live region: a screen reader would announce every step. */
function ImportBar({ done, total }: { done: number; total: number }) {
  const text = t('import_progress', formatNumber(done), formatNumber(total));
  return (
    <div class="import-progress">
      <progress value={done} max={total} aria-label={text} />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}
