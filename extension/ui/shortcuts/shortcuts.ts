import { browser } from 'wxt/browser';
import { t } from '../../i18n/translate.ts';

export type Shortcut = {
  command: string;
  /** What the keys do. */
  label: string;
  /** As the browser writes them, `Alt+Shift+U`; empty for none. */
  keys: string;
};

/** Edge takes this address for its own. */
const CHROMIUM_SHORTCUTS_PAGE = 'chrome://extensions/shortcuts';

export async function readShortcuts(): Promise<Shortcut[]> {
  return (await browser.commands.getAll()).map(({ name = '', description, shortcut }) => ({
    command: name,
    // Chromium describes the button's own command by nothing.
    label: name === '_execute_action' ? t('command_popup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/** Opens the browser's own page, on which keys are changed. */
export async function openShortcutSettings(): Promise<void> {
  if (import.meta.env.FIREFOX) {
    const { commands } = browser as unknown as {
      commands: { openShortcutSettings(): Promise<void> };
    };
    await commands.openShortcutSettings();
  } else {
    await browser.tabs.create({ url: CHROMIUM_SHORTCUTS_PAGE });
  }
}
