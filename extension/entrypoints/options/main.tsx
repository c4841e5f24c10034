import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { ErrorBoundary, PageFailed } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { POLICY_CHANGED, send } from '../../messaging/protocol.ts';
import { OptionsPage } from '../../pages/options/OptionsPage.tsx';
import { createOptionsState } from '../../pages/options/state/options-state.ts';
import { openShortcutSettings, readShortcuts } from '../../ui/shortcuts/shortcuts.ts';

keepTranslatedTexts(document.body);
showDirectionMarks();
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
  await state.refresh();
  browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
    if (message?.kind === POLICY_CHANGED) void state.refreshPolicy();
  });
  // Back from the browser's page, on which they may have been changed.
  addEventListener('focus', () => void state.refreshShortcuts());
  render(
    <ErrorBoundary>
      <OptionsPage state={state} />
    </ErrorBoundary>,
    app,
  );
} else {
  render(<PageFailed />, app);
}
