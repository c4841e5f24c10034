import { render } from 'preact';
import { t, translateDocument } from '../../i18n.ts';
import { send } from '../../messages.ts';
import { OptionsPage } from '../../options/OptionsPage.tsx';
import { createOptionsState } from '../../options/options-state.ts';
import { openShortcutSettings, readShortcuts } from '../../options/shortcuts.ts';
import { copyFromPage } from '../../page-clipboard.ts';

translateDocument('settings_title');
const app = document.getElementById('app') as HTMLElement;

const settings = await send('readSettings', {});
if (settings.ok) {
  const state = createOptionsState(settings.data, {
    send,
    copy: copyFromPage,
    readShortcuts,
    openShortcutSettings,
  });
  await Promise.all([state.lookForToken(), state.lookForShortcuts()]);
  // Back from the browser's page, on which they may have been changed.
  addEventListener('focus', () => void state.lookForShortcuts());
  render(<OptionsPage state={state} />, app);
} else {
  render(<p role="alert">{t('extension_failed_text')}</p>, app);
}
