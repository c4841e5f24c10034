import { render } from 'preact';
import { t, translateDocument } from '../../i18n/translate.ts';
import { send } from '../../messaging/protocol.ts';
import { OptionsPage } from '../../pages/options/OptionsPage.tsx';
import { createOptionsState } from '../../pages/options/state/options-state.ts';
import { copyFromPage } from '../../ui/copy-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { openShortcutSettings, readShortcuts } from '../../ui/shortcuts/shortcuts.ts';

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
  // The user may have changed them on the browser's page.
  addEventListener('focus', () => void state.lookForShortcuts());
  render(<OptionsPage state={state} />, app);
} else {
  render(<p role="alert">{t('extension_failed_text')}</p>, app);
}
