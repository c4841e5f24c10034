import { signal } from '@preact/signals';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ImportReport } from '../../../../shared/links/transfer.ts';
import type { Dashboard } from '../../app/dashboard.ts';
import type { AccountState } from '../account-state.ts';

export type ImportState = ReturnType<typeof createImportState>;

/** Imports a file: first a dry run with a report, then the same file for good. */
export function createImportState(
  { api, origin }: Pick<Dashboard, 'api' | 'origin'>,
  account: Pick<AccountState, 'refresh'>,
) {
  const file = signal<File | undefined>(undefined);
  const fileIssue = signal<string | undefined>(undefined);
  const report = signal<ImportReport | undefined>(undefined);
  const failure = signal<FailureText | undefined>(undefined);
  const isBusy = signal(false);
  /** Whether the latest run imports nothing. */
  const isDryRun = signal(true);

  function choose(chosen: File | undefined): void {
    file.value = chosen;
    fileIssue.value = undefined;
    report.value = undefined;
    failure.value = undefined;
  }

  async function run(dryRun: boolean): Promise<void> {
    if (isBusy.value) return;
    const chosen = file.value;
    fileIssue.value = chosen ? undefined : t('import_file_missing');
    if (!chosen) return;
    isBusy.value = true;
    isDryRun.value = dryRun;
    const result = await api.call((client, token) =>
      client.importLinks(token, { file: chosen, dryRun }),
    );
    isBusy.value = false;
    // Meanwhile another file may have been chosen. What was imported is shown all the same.
    if (dryRun && file.value !== chosen) return;
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

  return { file, fileIssue, report, failure, isBusy, isDryRun, choose, run };
}
