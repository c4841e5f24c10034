import { signal } from '@preact/signals';
import { t } from '../../../i18n/translate.ts';
import type { Send, Settings } from '../../../messaging/protocol.ts';
import { createServerForm } from '../../../ui/server/server-form.ts';
import type { Shortcut } from '../../../ui/shortcuts/shortcuts.ts';
import { createAccountState } from './account-state.ts';
import { createDataState } from './data-state.ts';
import { bad, createNote, formatForCopy, good, type NoteSignal } from './note.ts';

export type OptionsTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  saveFile(content: Blob, name: string): void;
  readShortcuts(): Promise<Shortcut[]>;
  openShortcutSettings(): Promise<void>;
};
export type OptionsState = ReturnType<typeof createOptionsState>;

/** All that the options page shows and does; its components only draw it. */
export function createOptionsState(settingsAtStart: Settings, tools: OptionsTools) {
  const { send, readShortcuts, openShortcutSettings } = tools;
  const settings = signal(settingsAtStart);
  const shortcuts = signal<Shortcut[]>([]);
  const notes = {
    server: createNote(),
    account: createNote(),
    making: createNote(),
    copying: createNote(),
    data: createNote(),
  };
  const server = createServerForm(send, settingsAtStart.serverOrigin);
  const account = createAccountState({ ...tools, settings, note: notes.account, switchTo });
  const data = createDataState({ ...tools, note: notes.data });

  /** Saves at once; what could not be saved is said, and shown as it was. */
  async function save(change: Partial<Settings>, note: NoteSignal): Promise<boolean> {
    note.value = undefined;
    const before = settings.value.serverOrigin;
    const answer = await send('saveSettings', change);
    settings.value = answer.ok ? answer.data : { ...settings.value };
    note.value = answer.ok
      ? good(t('saved'))
      : bad(formatForCopy(answer, settings.value.serverOrigin));
    // Chosen on another page meanwhile; the old one in the field would be saved again as it is left.
    const { serverOrigin } = settings.value;
    if (serverOrigin !== before && server.address.value === before) {
      server.change(serverOrigin);
      await account.look();
    }
    return answer.ok;
  }

  async function saveAddress(): Promise<void> {
    notes.server.value = undefined;
    const serverOrigin = server.read();
    if (serverOrigin) await switchTo(serverOrigin);
  }

  /** Somebody has gone on to something else, and may take the address for saved. */
  async function leaveAddress(): Promise<void> {
    if (server.address.value !== settings.value.serverOrigin) await saveAddress();
  }

  async function switchTo(serverOrigin: string): Promise<boolean> {
    const isSaved = await save({ serverOrigin }, notes.server);
    if (server.address.value !== settings.value.serverOrigin) {
      server.change(settings.value.serverOrigin);
    }
    await account.look();
    return isSaved;
  }

  async function reset(): Promise<void> {
    const answer = await send('resetSettings', {});
    if (!answer.ok) {
      notes.data.value = bad(formatForCopy(answer, settings.value.serverOrigin));
      return;
    }
    settings.value = answer.data;
    server.change(answer.data.serverOrigin);
    await look();
    notes.data.value = good(t('reset_done'));
  }

  async function eraseData(): Promise<void> {
    const answer = await send('eraseData', {});
    await look();
    notes.data.value = answer.ok
      ? good(t('erase_done'))
      : bad(formatForCopy(answer, settings.value.serverOrigin));
  }

  async function lookForShortcuts(): Promise<void> {
    shortcuts.value = await readShortcuts();
  }

  async function look(): Promise<void> {
    await Promise.all([account.look(), data.look(), lookForShortcuts()]);
  }

  return {
    settings,
    notes,
    server,
    account,
    data,
    shortcuts,
    save,
    saveAddress,
    leaveAddress,
    switchTo,
    reset,
    eraseData,
    look,
    lookForShortcuts,
    changeShortcuts: openShortcutSettings,
  };
}
