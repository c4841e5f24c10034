import { signal } from '@preact/signals';
import { t } from '../../../../shared/i18n/translate.ts';
import type { Send, StorageReport } from '../../../messaging/protocol.ts';
import { error, failureText, type NoteSignal, success } from './note.ts';

export type DataParts = {
  send: Send;
  saveFile(content: Blob, name: string): void;
  note: NoteSignal;
};
export type DataState = ReturnType<typeof createDataState>;

/** The data that the extension stores on this computer, including data it can't read. */
export function createDataState({ send, saveFile, note }: DataParts) {
  const report = signal<StorageReport>({ bytesUsed: null, quotaBytes: null, quarantined: [] });

  async function refresh(): Promise<void> {
    const answer = await send('readStorage', {});
    if (answer.ok) report.value = answer.data;
    else note.value = error(failureText(answer));
  }

  async function download(id: string): Promise<void> {
    note.value = undefined;
    const answer = await send('readQuarantined', { id });
    if (!answer.ok) note.value = error(failureText(answer));
    else if (answer.data) {
      const file = new Blob([answer.data], { type: 'application/json' });
      saveFile(file, `curt-${id.replace(/\W+/g, '-')}.json`);
    }
  }

  async function remove(id: string): Promise<void> {
    const answer = await send('deleteQuarantined', { id });
    await refresh();
    note.value = answer.ok ? success(t('quarantined_deleted')) : error(failureText(answer));
  }

  return { report, refresh, download, remove };
}
