import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { ErrorBoundary, PageFailed } from '../../../shared/ui/ErrorBoundary.tsx';
import { keepTranslatedTexts } from '../../../shared/ui/keep-translated-texts.ts';
import { showDirectionMarks } from '../../../shared/ui/show-direction-marks.ts';
import { POLICY_CHANGED, send } from '../../messaging/protocol.ts';
import { WelcomePage } from '../../pages/welcome/WelcomePage.tsx';
import { createWelcomeState } from '../../pages/welcome/welcome-state.ts';
import { readShortcuts } from '../../ui/shortcuts/shortcuts.ts';

keepTranslatedTexts(document.body);
showDirectionMarks();
translateDocument('welcome_title');
const app = document.getElementById('app') as HTMLElement;

async function leave(): Promise<void> {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id !== undefined) await browser.tabs.remove(tab.id);
}

async function readPinned(): Promise<boolean> {
  return (await browser.action.getUserSettings()).isOnToolbar === true;
}

const settings = await send('readSettings', {});
if (settings.ok) {
  const state = createWelcomeState(settings.data, await readShortcuts(), {
    send,
    copy: copyFromPage,
    isPrivate: browser.extension.inIncognitoContext,
    readPinned,
  });
  void state.refreshPinned();
  // Browsers have no event for it that all of them fire. The user comes back from the toolbar, or the settings.
  window.addEventListener('focus', () => {
    void state.refreshPinned();
    void state.refreshSettings();
  });
  await state.refreshSettings();
  // Chromium reads the policy a moment after the installation, which opens this page.
  browser.runtime.onMessage.addListener((message: { kind?: unknown } | undefined) => {
    if (message?.kind === POLICY_CHANGED) void state.refreshSettings();
  });
  const openSettings = () => browser.runtime.openOptionsPage();
  render(
    <ErrorBoundary>
      <WelcomePage state={state} onLeave={leave} onOpenSettings={openSettings} />
    </ErrorBoundary>,
    app,
  );
} else {
  render(<PageFailed />, app);
}
