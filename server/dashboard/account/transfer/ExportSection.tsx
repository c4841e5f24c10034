import { t } from '../../../../shared/i18n/translate.ts';
import { EXPORT_FORMATS } from '../../../../shared/links/transfer-formats.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { ExportState } from './export-state.ts';

const LABELS = { json: 'export_json', csv: 'export_csv' } as const;

/** Buttons that download everything. */
export function ExportSection({ state }: { state: ExportState }) {
  return (
    <section class="card" aria-labelledby="export-heading">
      <h2 id="export-heading">{t('export_heading')}</h2>
      <p class="intro">{t('export_intro')}</p>
      <div class="buttons">
        {EXPORT_FORMATS.map((format) => (
          <button
            type="button"
            class="button"
            key={format}
            aria-disabled={state.running.value !== undefined}
            onClick={() => state.save(format)}
          >
            <Icon name="save" />
            {t(LABELS[format])}
          </button>
        ))}
      </div>
      <FailureNote failure={state.failure.value} />
    </section>
  );
}
