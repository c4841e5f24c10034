import { signal } from '@preact/signals';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import {
  DETECTION_BYTES,
  detectImportSource,
} from '../../../../shared/links/detect-import-source.ts';
import type { ImportReport, ImportSource } from '../../../../shared/links/transfer.ts';
import type { Dashboard } from '../../app/dashboard.ts';
import type { AccountState } from '../account-state.ts';

/** By its name: what a browser says about a file's type depends on the programs on the device. */
export function fileType(from: ImportSource, name: string): 'text/csv' | 'application/json' {
  return from === 'csv' || !/\.json$/i.test(name) ? 'text/csv' : 'application/json';
}

export type ImportState = ReturnType<typeof createImportState>;

/** Imports a file: first a dry run with a report, then the same file for good. */
export function createImportState(
  { api, origin }: Pick<Dashboard, 'api' | 'origin'>,
  account: Pick<AccountState, 'refresh'>,
) {
  const source = signal<ImportSource>('curt');
  const file = signal<File | undefined>(undefined);
  const fileIssue = signal<string | undefined>(undefined);
  const report = signal<ImportReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isBusy = signal(false);
  /** Whether the latest run imports nothing. */
  const isDryRun = signal(true);

  function choose(change: { source?: ImportSource; file?: File | undefined }): void {
    if (change.source) source.value = change.source;
    if ('file' in change) {
      file.value = change.file;
      void detectSource(change.file);
    }
    fileIssue.value = undefined;
    report.value = undefined;
    failure.value = undefined;
  }

  /** A file that can't be read is reported when it is sent. */
  async function detectSource(chosen: File | undefined): Promise<void> {
    const start = await chosen
      ?.slice(0, DETECTION_BYTES)
      .text()
      .catch(() => undefined);
    if (start !== undefined && file.value === chosen) source.value = detectImportSource(start);
  }

  async function run(dryRun: boolean): Promise<void> {
    if (isBusy.value) return;
    const chosen = file.value;
    fileIssue.value = chosen ? undefined : t('import_file_missing');
    if (!chosen) return;
    isBusy.value = true;
    isDryRun.value = dryRun;
    const from = source.value;
    const type = fileType(from, chosen.name);
    const result = await api.call((client, token) =>
      client.importLinks(token, { from, file: chosen, type, dryRun }),
    );
    isBusy.value = false;
    // Meanwhile another file may have been chosen.
    if (file.value !== chosen || source.value !== from) return;
    failure.value = result.ok ? undefined : importFailureText(result);
    report.value = result.ok ? result.data : undefined;
    if (result.ok && !dryRun) await account.refresh();
  }

  /** The server's message says what is wrong with the file, which no code can. */
  function importFailureText(result: Parameters<typeof failureText>[0]): FailureText {
    const isAboutFile = result.code === 'invalid_request' || result.code === 'invalid_json';
    return isAboutFile
      ? { title: t('import_failed'), text: result.message, isEnglish: true }
      : failureText(result, origin);
  }

  return { source, file, fileIssue, report, failure, isBusy, isDryRun, choose, run };
}
