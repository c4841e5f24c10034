import { signal } from '@preact/signals';
import type { EntryIssue, FileFailure } from '../../../links/files/entry.ts';
import type { ListedLink } from '../../../links/link.ts';
import type { Failure, ImportProgress, Send } from '../../../messaging/protocol.ts';

/** How an import ended. */
export type ImportOutcome =
  | {
      name: 'read';
      added: number;
      known: number;
      /** How many of the oldest links didn't fit into the storage quota. */
      outOfSpace: number;
      places: 'lines' | 'entries';
      issues: EntryIssue[];
    }
  | { name: 'rejected'; code: FileFailure }
  /** The extension failed. Nothing was changed. */
  | { name: 'failed'; failure: Failure };

export type FilesTools = {
  send: Send;
  saveFile(content: Blob, name: string): void;
  now(): Date;
  /** Reads the list again, so that it is complete when the page reports the import. */
  reload(): Promise<void>;
};
export type FilesState = ReturnType<typeof createFilesState>;

/** Exports and imports the list. The code for each file format is loaded on demand. */
export function createFilesState({ send, saveFile, now, reload }: FilesTools) {
  const outcome = signal<ImportOutcome | undefined>(undefined);
  const isBusy = signal(false);
  /** How many of the file's links are stored so far. */
  const progress = signal<{ done: number; total: number } | undefined>(undefined);

  async function exportLinks(links: ListedLink[], format: 'json' | 'csv'): Promise<void> {
    const { fileName } = await import('../../../links/files/entry.ts');
    const text =
      format === 'json'
        ? (await import('../../../links/files/json.ts')).writeJson(links, now())
        : (await import('../../../links/files/csv.ts')).writeCsv(links);
    const type = format === 'json' ? 'application/json' : 'text/csv';
    saveFile(new Blob([text], { type }), fileName(format, now()));
  }

  async function importFile(file: Blob): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    outcome.value = undefined;
    outcome.value = await readAndAdd(file).catch((): ImportOutcome => {
      // The file or its disk is gone.
      return { name: 'rejected', code: 'file_unreadable' };
    });
    isBusy.value = false;
    progress.value = undefined;
  }

  async function readAndAdd(file: Blob): Promise<ImportOutcome> {
    const { readLinkFile } = await import('../../../links/files/read.ts');
    const read = await readLinkFile(file);
    if (!read.ok) return { name: 'rejected', code: read.code };
    const { places, issues } = read;
    const links = read.links.map((link) => ({ ...link, isImported: true as const }));
    const answer = await send('addLinks', { links });
    if (!answer.ok) return { name: 'failed', failure: answer };
    await reload();
    return { name: 'read', ...answer.data, places, issues };
  }

  /** Ignores an import that another page runs. */
  function showProgress({ done, total }: Omit<ImportProgress, 'kind'>): void {
    if (isBusy.value) progress.value = { done, total };
  }

  return { outcome, isBusy, progress, exportLinks, importFile, showProgress };
}
