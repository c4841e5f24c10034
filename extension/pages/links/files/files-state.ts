import { signal } from '@preact/signals';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ShownLink } from '../../../../shared/links/shown-link.ts';
import type { ImportReport } from '../../../../shared/links/transfer.ts';
import type { ExportFormat } from '../../../../shared/links/transfer-formats.ts';
import { selectExported } from '../../../../shared/ui/links/select-exported.ts';
import type { Failure, Send } from '../../../messaging/protocol.ts';
import { failureText } from '../source-texts.ts';

/** How an import ended. */
export type ImportOutcome =
  | { name: 'imported'; report: ImportReport }
  | { name: 'failed'; text: string };

export type FilesTools = {
  send: Send;
  /** Origin of the server whose account has the links. */
  serverOrigin: string;
  saveFile(content: Blob, name: string): void;
  now(): Date;
  /** Reads the list again, so that it is complete when the page reports the import. */
  reload(): Promise<void>;
};
export type FilesState = ReturnType<typeof createFilesState>;

const TYPES = { json: 'application/json', csv: 'text/csv' };

/** Exports the links of the account, and imports files into it. */
export function createFilesState({ send, serverOrigin, saveFile, now, reload }: FilesTools) {
  const outcome = signal<ImportOutcome | undefined>(undefined);
  const isBusy = signal(false);

  async function exportAll(format: ExportFormat): Promise<void> {
    const text = await exportLinks(undefined, format);
    outcome.value = text === undefined ? undefined : { name: 'failed', text };
  }

  /**
   * @param links all if omitted
   * @returns why they couldn't be exported, or not all of them
   */
  async function exportLinks(
    links: ShownLink[] | undefined,
    format: ExportFormat,
  ): Promise<string | undefined> {
    const exported = await send('exportLinks', { serverOrigin, format });
    if (!exported.ok) return failureText(exported, serverOrigin);
    const { file, found } = links
      ? selectExported(exported.data, format, new Set(links.map(({ shortUrl }) => shortUrl)))
      : { file: exported.data, found: 1 };
    if (found > 0) saveFile(new Blob([file], { type: TYPES[format] }), fileName(format, now()));
    const missing = links ? links.length - found : 0;
    // Deleted elsewhere meanwhile.
    return missing > 0 ? t('export_missing', formatNumber(missing)) : undefined;
  }

  async function importFile(file: Blob): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    outcome.value = undefined;
    outcome.value = await readAndImport(file);
    isBusy.value = false;
  }

  async function readAndImport(file: Blob): Promise<ImportOutcome> {
    const bytes = await file.arrayBuffer().catch(() => undefined);
    // The file or its disk is gone.
    if (bytes === undefined) return { name: 'failed', text: t('file_unreadable') };
    const text = decode(bytes);
    if (text === undefined) return { name: 'failed', text: t('file_not_utf8') };
    const answer = await send('importLinks', { serverOrigin, file: text });
    if (!answer.ok) return { name: 'failed', text: importFailureText(answer) };
    await reload();
    return { name: 'imported', report: answer.data };
  }

  /** The server's message says what is wrong with the file, which no code can. */
  function importFailureText(failure: Failure): string {
    const isAboutFile = failure.code === 'invalid_request' || failure.code === 'invalid_json';
    return isAboutFile
      ? t('title_and_text', t('import_failed'), failure.message ?? '')
      : failureText(failure, serverOrigin);
  }

  return { outcome, isBusy, exportAll, exportLinks, importFile };
}

/** Messages carry text only, and what is no UTF-8 must not be imported with replaced characters. */
function decode(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** For example `curt-links-2030-01-31.csv`, with the local date. */
function fileName(format: ExportFormat, now: Date): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return `curt-links-${date}.${format}`;
}
