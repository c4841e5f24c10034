import { signal } from '@preact/signals';
import { formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { selectExported } from '../../../shared/links/exported-file.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ExportFormat } from '../../../shared/links/transfer-formats.ts';
import type { LinkSource } from '../../../shared/ui/links/link-source.ts';
import { createImportState } from '../../../shared/ui/transfer/import-state.ts';
import { importFailure } from '../../../shared/ui/transfer/import-texts.ts';
import type { Send } from '../../messaging/send.ts';
import { failureText } from './message-sources.ts';

export type FilesTools = Pick<LinkSource, 'changeAll'> & {
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
export function createFilesState(tools: FilesTools) {
  const { send, serverOrigin, changeAll, saveFile, now, reload } = tools;
  /** Why the list could not be exported. */
  const failure = signal<string | undefined>(undefined);
  const isImportOpen = signal(false);

  async function exportAll(format: ExportFormat): Promise<void> {
    const text = await exportLinks({}, format);
    failure.value = text;
  }

  /**
   * @param links those that match, or these
   * @returns why they couldn't be exported, or not all of them
   */
  async function exportLinks(
    links: LinkRecord[] | LinkFilter,
    format: ExportFormat,
  ): Promise<string | undefined> {
    const chosen = Array.isArray(links) ? links : undefined;
    const filter = Array.isArray(links) ? {} : links;
    const exported = await send('exportLinks', { serverOrigin, format, secrets: false, ...filter });
    if (!exported.ok) return failureText(exported, serverOrigin);
    const { file, found } = chosen
      ? selectExported(exported.data, format, new Set(chosen.map(({ shortUrl }) => shortUrl)))
      : { file: exported.data, found: 1 };
    if (found > 0) saveFile(new Blob([file], { type: TYPES[format] }), fileName(format, now()));
    const missing = chosen ? chosen.length - found : 0;
    // Deleted elsewhere meanwhile.
    return missing > 0 ? t('export_missing', formatNumber(missing)) : undefined;
  }

  const imported = createImportState({
    source: {
      async importFile(file, options) {
        const content = await toBase64(file);
        // The file or its disk is gone.
        if (content === undefined) {
          const failure = { ok: false, code: 'extension_failed' } as const;
          return { ...failure, title: t('import_failed'), text: t('file_unreadable') };
        }
        const answer = await send('importLinks', { serverOrigin, ...options, file: content });
        if (answer.ok) return answer;
        const text = failureText(answer, serverOrigin);
        return { ...answer, ...importFailure(answer, { title: t('import_failed'), text }) };
      },
      async readStatus() {
        const answer = await send('getImport', { serverOrigin });
        return answer.ok ? (answer.data ?? undefined) : undefined;
      },
      stop: () => send('stopImport', { serverOrigin }),
      changeAll,
    },
    saveFile,
    saveAll: () => exportAll('json'),
    onImported: reload,
  });

  function openImport(isOpen: boolean): void {
    isImportOpen.value = isOpen;
  }

  return { failure, isImportOpen, imported, exportAll, exportLinks, openImport };
}

function toBase64(file: Blob): Promise<string | undefined> {
  const reader = new FileReader();
  return new Promise((resolve) => {
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
}

/** For example `curt-links-2030-01-31.csv`, with the local date. */
function fileName(format: ExportFormat, now: Date): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return `curt-links-${date}.${format}`;
}
