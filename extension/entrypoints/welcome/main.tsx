import '../../i18n/browser-messages.ts';
import { browser } from 'wxt/browser';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { PageFailed } from '../../../shared/ui/FailureNote.tsx';
import { onBroadcast, send } from '../../messaging/send.ts';
import { WelcomePage } from '../../pages/welcome/WelcomePage.tsx';
import { createWelcomeState } from '../../pages/welcome/welcome-state.ts';
import { readShortcuts } from '../../ui/Shortcuts.tsx';
import { startPage } from '../../ui/start-page.tsx';

const show = startPage('welcome_title');

async function leave(): Promise<void> {
  const tab = await browser.tabs.getCurrent();
  if (tab?.id !== undefined) await browser.tabs.remove(tab.id);
}

async function readPinned(): Promise<boolean> {
  // Firefox for Android has no toolbar.
  return (await browser.action.getUserSettings?.())?.isOnToolbar !== false;
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
  onBroadcast('policyChanged', () => void state.refreshSettings());
  const openSettings = () => browser.runtime.openOptionsPage();
  show(<WelcomePage state={state} onLeave={leave} onOpenSettings={openSettings} />);
} else {
  show(<PageFailed />);
}
