import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { ListedLink } from '../../links/link.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { FilesState } from './files-state.ts';
import { ImportResult } from './ImportResult.tsx';

export type FilesSectionProps = { state: FilesState; links: ListedLink[] };

export function FilesSection({ state, links }: FilesSectionProps) {
  const progress = state.progress.value;
  const hasNone = links.length === 0;
  return (
    <details class="files">
      <summary>
        <Icon name="chevron" />
        {t('files_heading')}
      </summary>
      <p class="files-hint">{t('files_hint')}</p>
      <div class="buttons">
        <button
          type="button"
          class="button"
          disabled={hasNone}
          onClick={() => state.exportLinks(links, 'json')}
        >
          <Icon name="save" />
          {t('export_json')}
        </button>
        <button
          type="button"
          class="button"
          disabled={hasNone}
          onClick={() => state.exportLinks(links, 'csv')}
        >
          <Icon name="save" />
          {t('export_csv')}
        </button>
        <label class="button file-button">
          <Icon name="load" />
          {t(state.isBusy.value ? 'import_busy' : 'import_file')}
          <input
            type="file"
            class="visually-hidden"
            accept=".json,.csv,application/json,text/csv"
            onChange={(event) => {
              const input = event.currentTarget;
              const [file] = input.files ?? [];
              if (!file) return;
              // Reset, so that the same file can be chosen again after a correction.
              void state.importFile(file).then(() => {
                input.value = '';
              });
            }}
          />
        </label>
      </div>
      {progress && <ImportBar {...progress} />}
      <div class="import-result" role="status">
        {state.outcome.value && <ImportResult outcome={state.outcome.value} />}
      </div>
    </details>
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
