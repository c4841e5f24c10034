import { render } from 'preact';
import { t, translateDocument } from '../../i18n.ts';
import { openShortcutSettings, readShortcuts } from '../../keyboard/shortcuts.ts';
import { send } from '../../messages.ts';
import { OptionsPage } from '../../options/OptionsPage.tsx';
import { createOptionsState } from '../../options/options-state.ts';
import { copyFromPage } from '../../page-clipboard.ts';
import { saveFile } from '../../save-file.ts';

translateDocument('settings_title');
const app = document.getElementById('app') as HTMLElement;

const settings = await send('readSettings', {});
if (settings.ok) {
  const state = createOptionsState(settings.data, {
    send,
    copy: copyFromPage,
    saveFile,
    readShortcuts,
    openShortcutSettings,
  });
  await state.look();
  // Back from the browser's page, on which they may have been changed.
  addEventListener('focus', () => void state.lookForShortcuts());
  render(<OptionsPage state={state} />, app);
} else {
  render(<p role="alert">{t('extension_failed_text')}</p>, app);
}
