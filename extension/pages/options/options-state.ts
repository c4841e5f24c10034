import { signal } from '@preact/signals';
import { t } from '../../../shared/i18n/translate.ts';
import type { DomainChoices, Policy, Quarantined, Settings } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import type { Shortcut } from '../../ui/Shortcuts.tsx';
import { createServerForm } from '../../ui/server/server-form.ts';
import { createAccountState } from './account-state.ts';
import { createNote, error, failureText, type NoteSignal, noteOf } from './note.ts';

type OptionsTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
  saveFile(content: Blob, name: string): void;
  readShortcuts(): Promise<Shortcut[]>;
  openShortcutSettings(): Promise<void>;
};
export type OptionsState = ReturnType<typeof createOptionsState>;

/** Creates the options page's state and actions. Its components only render them. */
export function createOptionsState(settingsAtStart: Settings, tools: OptionsTools) {
  const { send, readShortcuts, openShortcutSettings } = tools;
  const settings = signal(settingsAtStart);
  const policy = signal<Policy>({ fixed: [], invalid: [] });
  const shortcuts = signal<Shortcut[]>([]);
  /** Domains of the server that is in use; null if there is no choice. */
  const domains = signal<DomainChoices | null>(null);
  const notes = {
    server: createNote(),
    account: createNote(),
    shortening: createNote(),
    copying: createNote(),
    data: createNote(),
  };
  const server = createServerForm(send, settingsAtStart.serverOrigin);
  /** An address that is not saved: no Curt server responds there, and the user decides. */
  const unconfirmed = signal<string | undefined>(undefined);
  const isFixed = (setting: keyof Settings) => policy.value.fixed.includes(setting);
  const account = createAccountState({
    ...tools,
    settings,
    note: notes.account,
    switchTo,
    isServerFixed: () => isFixed('serverOrigin'),
  });
  const data = createDataState({ ...tools, note: notes.data });

  /** Saves at once. If that fails, shows the error and the previous value. */
  async function save(change: Partial<Settings>, note: NoteSignal): Promise<boolean> {
    note.value = undefined;
    const answer = await send('saveSettings', change);
    note.value = noteOf(answer, t('saved'), settings.value.serverOrigin);
    await show(answer.ok ? answer.data : { ...settings.value });
    return answer.ok;
  }

  async function show(next: Settings): Promise<void> {
    const before = settings.value.serverOrigin;
    settings.value = next;
    // Changed on another page meanwhile: leaving the field would save the old address again.
    const { serverOrigin } = next;
    const isUnedited = server.address.value === before || isFixed('serverOrigin');
    if (serverOrigin !== before && isUnedited) {
      server.change(serverOrigin);
      await account.refresh();
    }
  }

  /** Reads the organization's policy, and the settings, since it changes them. */
  async function refreshPolicy(): Promise<void> {
    const [read, current] = await Promise.all([send('readPolicy', {}), send('readSettings', {})]);
    if (read.ok) policy.value = read.data;
    if (current.ok) await show(current.data);
  }

  /** Saves the address in the field, or asks if no Curt server responds there. */
  async function saveAddress(): Promise<void> {
    notes.server.value = undefined;
    const serverOrigin = server.read();
    if (!serverOrigin) return;
    await server.testConnection();
    if (server.address.value !== serverOrigin) return;
    // Another address of the same server: the user agrees to move there.
    const isMove = server.movedFrom() !== undefined && serverOrigin !== settings.value.serverOrigin;
    if (server.isCurt() && !isMove) await switchTo(serverOrigin);
    else unconfirmed.value = serverOrigin;
  }

  /** Takes everything along to another address of the same server, and uses it. */
  async function moveServer(from: string, to: string): Promise<void> {
    notes.server.value = undefined;
    const answer = await send('moveServer', { from, to });
    if (!answer.ok) {
      notes.server.value = error(failureText(answer, to));
      return;
    }
    server.change(to);
    await switchTo(to);
    await server.testConnection();
  }

  /** Saves another address, as if it had been typed. */
  async function useAddress(origin: string): Promise<void> {
    server.change(origin);
    await saveAddress();
  }

  /** Saves when the user leaves the field, who may assume that the address is saved. */
  async function leaveAddress(): Promise<void> {
    const address = server.address.value;
    if (address !== settings.value.serverOrigin && address !== unconfirmed.value) {
      await saveAddress();
    }
  }

  /** Goes back to the server that is in use. */
  function keepServer(): void {
    server.change(settings.value.serverOrigin);
  }

  async function switchTo(serverOrigin: string): Promise<boolean> {
    const isSaved = await save({ serverOrigin }, notes.server);
    if (server.address.value !== settings.value.serverOrigin) {
      server.change(settings.value.serverOrigin);
    }
    await account.refresh();
    void refreshDomains();
    return isSaved;
  }

  async function eraseData(): Promise<void> {
    const answer = await send('eraseData', {});
    // Asking the server would store again what it answers.
    domains.value = null;
    await refreshStored();
    notes.data.value = noteOf(answer, t('erase_done'), settings.value.serverOrigin);
  }

  async function refreshShortcuts(): Promise<void> {
    shortcuts.value = await readShortcuts();
  }

  /** Asks the server, for which the page does not wait. */
  async function refreshDomains(): Promise<void> {
    const { serverOrigin } = settings.value;
    const answer = await send('readDomains', { serverOrigin, isFresh: true });
    if (settings.value.serverOrigin === serverOrigin)
      domains.value = answer.ok ? answer.data : null;
  }

  async function chooseDomain(domain: string): Promise<void> {
    const { serverOrigin } = settings.value;
    const answer = await send('chooseDomain', { serverOrigin, domain });
    if (answer.ok && domains.value) domains.value = { ...domains.value, chosen: domain };
    notes.shortening.value = noteOf(answer, t('saved'), serverOrigin);
  }

  /** Reads what is stored, and then asks the server, for which the page does not wait. */
  async function refresh(): Promise<void> {
    void refreshDomains();
    void server.testConnection();
    await refreshStored();
  }

  async function refreshStored(): Promise<void> {
    await Promise.all([account.refresh(), data.refresh(), refreshShortcuts(), refreshPolicy()]);
  }

  return {
    settings,
    policy,
    isFixed,
    notes,
    server,
    account,
    data,
    shortcuts,
    domains,
    chooseDomain,
    save,
    saveAddress,
    useAddress,
    moveServer,
    leaveAddress,
    unconfirmed,
    keepServer,
    switchTo,
    eraseData,
    refresh,
    refreshPolicy,
    refreshShortcuts,
    changeShortcuts: openShortcutSettings,
  };
}

type DataParts = {
  send: Send;
  saveFile(content: Blob, name: string): void;
  note: NoteSignal;
};
export type DataState = ReturnType<typeof createDataState>;

/** The data that the extension stores on this computer, including data it can't read. */
function createDataState({ send, saveFile, note }: DataParts) {
  const quarantined = signal<Quarantined[]>([]);

  async function refresh(): Promise<void> {
    const answer = await send('listQuarantined', {});
    if (answer.ok) quarantined.value = answer.data;
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
    note.value = noteOf(answer, t('quarantined_deleted'));
  }

  return { quarantined, refresh, download, remove };
}
