import '../../i18n/browser-messages.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { PageFailed } from '../../../shared/ui/FailureNote.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { onBroadcast, send } from '../../messaging/send.ts';
import { OptionsPage } from '../../pages/options/OptionsPage.tsx';
import { createOptionsState } from '../../pages/options/options-state.ts';
import { openShortcutSettings, readShortcuts } from '../../ui/Shortcuts.tsx';
import { startPage } from '../../ui/start-page.tsx';

const show = startPage('settings_title');

const settings = await send('readSettings', {});
if (settings.ok) {
  const state = createOptionsState(settings.data, {
    send,
    copy: copyFromPage,
    saveFile,
    readShortcuts,
    openShortcutSettings,
  });
  await state.refresh();
  onBroadcast('policyChanged', () => void state.refreshPolicy());
  // Back from the browser's page, on which they may have been changed.
  addEventListener('focus', () => void state.refreshShortcuts());
  show(<OptionsPage state={state} />);
} else {
  show(<PageFailed />);
}
