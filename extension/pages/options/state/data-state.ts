import { signal } from '@preact/signals';
import { t } from '../../../i18n/translate.ts';
import type { Send, StorageReport } from '../../../messaging/protocol.ts';
import { bad, formatForCopy, good, type NoteSignal } from './note.ts';

export type DataParts = {
  send: Send;
  saveFile(content: Blob, name: string): void;
  note: NoteSignal;
};
export type DataState = ReturnType<typeof createDataState>;

/** What the extension keeps on this computer, and what of it cannot be read. */
export function createDataState({ send, saveFile, note }: DataParts) {
  const report = signal<StorageReport>({ bytesUsed: null, quotaBytes: null, quarantined: [] });

  async function look(): Promise<void> {
    const answer = await send('readStorage', {});
    if (answer.ok) report.value = answer.data;
    else note.value = bad(formatForCopy(answer));
  }

  async function download(id: string): Promise<void> {
    note.value = undefined;
    const answer = await send('readQuarantined', { id });
    if (!answer.ok) note.value = bad(formatForCopy(answer));
    else if (answer.data) {
      const file = new Blob([answer.data], { type: 'application/json' });
      saveFile(file, `curt-${id.replace(/\W+/g, '-')}.json`);
    }
  }

  async function remove(id: string): Promise<void> {
    const answer = await send('deleteQuarantined', { id });
    await look();
    note.value = answer.ok ? good(t('quarantined_deleted')) : bad(formatForCopy(answer));
  }

  return { report, look, download, remove };
}
