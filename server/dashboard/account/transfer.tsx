import { signal } from '@preact/signals';
import {
  type FailureText,
  failureSentences,
  failureText,
} from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { nameOfPart, splitExport } from '../../../shared/links/exported-file.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/links/transfer-formats.ts';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { onReturn } from '../../../shared/ui/links/list-address.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { createImportState, type ImportSource } from '../../../shared/ui/transfer/import-state.ts';
import { importFailure } from '../../../shared/ui/transfer/import-texts.ts';
import type { Dashboard } from '../app/dashboard.ts';
import { createHttpLinkSource } from '../links/http-link-source.ts';
import type { AccountState } from './account-state.ts';

const LABELS = { json: 'export_json', csv: 'export_csv' } as const;

type ExportState = ReturnType<typeof createExportState>;

/** Downloads all links of the account. */
export function createExportState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const running = signal<ExportFormat | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);

  async function save(format: ExportFormat): Promise<void> {
    if (running.value) return;
    running.value = format;
    const result = await api.call((client) => client.exportLinks({ format, secrets: false }));
    running.value = undefined;
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) await saveExport(result.data, format);
  }

  return { running, failure, save };
}

/** Saves several files if an import would not take one. */
async function saveExport(content: Blob, format: ExportFormat): Promise<void> {
  const name = `curt-links.${format}`;
  const parts = splitExport(await content.text(), format);
  for (const [index, part] of parts.entries()) {
    const partName = parts.length === 1 ? name : nameOfPart(name, index + 1);
    saveFile(new Blob([part], { type: content.type }), partName);
  }
}

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

/** Imports files into the account that is signed in. */
export function createAccountImport(
  { api, origin }: Pick<Dashboard, 'api' | 'origin'>,
  account: Pick<AccountState, 'refresh'>,
  exported: ExportState,
) {
  const links = createHttpLinkSource({
    // Part by part: it must not go on in an account that another tab signs in to.
    call: api.callOfAccount(),
    failureText: (failure) => failureSentences(failureText(failure, origin)),
    subscribe: onReturn,
  });
  const source: ImportSource = {
    async importFile(file, { mapping, ...options }) {
      const result = await api.call((client) =>
        client.importLinks({ ...options, file, mapping: mapping && JSON.stringify(mapping) }),
      );
      if (result.ok) return result;
      return { ...result, ...importFailure(result, failureText(result, origin)) };
    },
    async readStatus() {
      const result = await api.call((client) => client.getImport());
      return result.ok ? (result.data ?? undefined) : undefined;
    },
    stop: () => api.call((client) => client.stopImport()),
    changeAll: links.changeAll,
  };
  const onImported = () => account.refresh();
  const saveAll = () => exported.save('json');
  return createImportState({ source, saveFile, saveAll, onImported });
}
