import '../../i18n/browser-messages.ts';
import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.ts';
import { WELCOME_PAGE } from '../../address/extension-pages.ts';
import { ABOUT_CONFIRMATION, POPUP_PORT, WITH_OPTIONS } from '../../messaging/popup-port.ts';
import { send } from '../../messaging/protocol.ts';
import { OptionsForm, Result } from '../../pages/popup/lazy-parts.ts';
import { Popup } from '../../pages/popup/Popup.tsx';
import { createPopupState } from '../../pages/popup/state/popup-state.ts';
import type { TabPage } from '../../pages/popup/state/view.ts';

const RECONNECT_MS = 1000;
const FRAME_LIMIT_MS = 100;

const popupId = crypto.randomUUID();

translateDocument('popup_title');
connectPort();

const isForOptions = location.hash === WITH_OPTIONS;
const isAboutConfirmation = location.hash === ABOUT_CONFIRMATION;
const page = isAboutConfirmation ? confirmationPage() : tabPage();
const state = createPopupState(page, { popupId, send, copy: copyFromPage }, { isForOptions });

/** While this port is open, the background leaves it to the popup to show results. */
function connectPort(lostAtMs = Number.NEGATIVE_INFINITY): void {
  browser.runtime.connect({ name: `${POPUP_PORT}${popupId}` }).onDisconnect.addListener(() => {
    // A restarted background doesn't know of open popups. If it stops again at once, wait before
    // reconnecting.
    const nowMs = performance.now();
    const waitMs = nowMs - lostAtMs < RECONNECT_MS ? RECONNECT_MS : 0;
    setTimeout(connectPort, waitMs, nowMs);
  });
}

async function tabPage(): Promise<TabPage> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  return {
    url: tab?.url,
    title: tab?.title ?? '',
    // If unknown, treat the page as private: nothing is saved.
    isPrivate: tab?.incognito ?? true,
    tabId: tab?.id,
  };
}

async function confirmationPage(): Promise<TabPage> {
  const answer = await send('readConfirmation', {});
  const pending = answer.ok && answer.data;
  // If unknown, treat the page as private: nothing is saved.
  if (!pending) return { url: undefined, title: '', isPrivate: true };
  await send('clearConfirmation', { id: pending.id });
  return { url: pending.url, title: pending.title, isPrivate: pending.isPrivate };
}

async function openTab(url: string): Promise<void> {
  // A notification opens a normal window, even for a page in a private one.
  if (isAboutConfirmation && (await page).isPrivate) await openPrivately(url);
  else await browser.tabs.create({ url });
  window.close();
}

/** Falls back to a tab: without access to private windows, the page came from a normal one. */
async function openPrivately(url: string): Promise<void> {
  try {
    await browser.windows.create({ url, incognito: true });
  } catch {
    await browser.tabs.create({ url });
  }
}

async function openLinks(): Promise<void> {
  const { openLinksPage } = await import('../../links/open-links-page.ts');
  await openLinksPage();
  window.close();
}

async function openSettings(): Promise<void> {
  await browser.runtime.openOptionsPage();
  window.close();
}

async function openWelcomePage(): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) });
  window.close();
}

// Loads while the background responds and the first frame is painted.
void Result.preload();
const started = state.start();
// Let the browser paint the static frame first, while the background responds.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  // A hidden page gets no animation frame.
  setTimeout(resolve, FRAME_LIMIT_MS);
});
// Wait only for the form if the popup was opened for it. Everything else renders at once.
if (isForOptions) await OptionsForm.preload();
const app = document.getElementById('app') as HTMLElement;
app.replaceChildren();
render(
  <Popup
    state={state}
    onOpenLink={openTab}
    onOpenLinks={openLinks}
    onOpenSettings={openSettings}
    onSetUp={openWelcomePage}
    onClose={() => window.close()}
  />,
  app,
);
await Promise.all([started, state.watchQueue()]);
requestIdleCallback(() => void OptionsForm.preload());
