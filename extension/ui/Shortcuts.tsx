import { browser } from 'wxt/browser';
import { t } from '../../shared/i18n/translate.ts';

export type Shortcut = {
  command: string;
  /** What the shortcut does. */
  label: string;
  /** In the browser's notation, such as `Alt+Shift+U`. Empty for none. */
  keys: string;
};

/** Edge redirects this to its own page. */
const CHROMIUM_SHORTCUTS_PAGE = 'chrome://extensions/shortcuts';

export async function readShortcuts(): Promise<Shortcut[]> {
  const commands = (await browser.commands?.getAll()) ?? [];
  return commands.map(({ name = '', description, shortcut }) => ({
    command: name,
    // Chromium gives `_execute_action` no description.
    label: name === '_execute_action' ? t('command_popup') : (description ?? ''),
    keys: shortcut ?? '',
  }));
}

/** Opens the browser's page for changing shortcuts. */
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

/** Renders the current keyboard shortcuts. */
export function ShortcutList({ shortcuts }: { shortcuts: Shortcut[] }) {
  return (
    <dl class="shortcuts">
      {shortcuts.map(({ command, label, keys }) => (
        <div class="shortcut" key={command}>
          <dt>{label}</dt>
          <dd>{keys ? <kbd dir="ltr">{keys}</kbd> : t('shortcut_none')}</dd>
        </div>
      ))}
    </dl>
  );
}
