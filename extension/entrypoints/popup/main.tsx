import { render } from 'preact';
import { browser } from 'wxt/browser';
import { WELCOME_PAGE } from '../../address/extension-pages.ts';
import { translateDocument } from '../../i18n/translate.ts';
import { ABOUT_CONFIRMATION, POPUP_PORT, WITH_OPTIONS } from '../../messaging/popup-port.ts';
import { send } from '../../messaging/protocol.ts';
import { OptionsForm, Outcome } from '../../pages/popup/lazy-parts.ts';
import { Popup } from '../../pages/popup/Popup.tsx';
import { createPopupState } from '../../pages/popup/state/popup-state.ts';
import type { TabPage } from '../../pages/popup/state/view.ts';
import { copyFromPage } from '../../ui/copy-text.ts';

const RECONNECT_MS = 1000;
const FRAME_LIMIT_MS = 100;

const popupId = crypto.randomUUID();

translateDocument('popup_title');
connectPort();

const isForOptions = location.hash === WITH_OPTIONS;
const isAboutConfirmation = location.hash === ABOUT_CONFIRMATION;
const page = isAboutConfirmation ? confirmationPage() : tabPage();
const state = createPopupState(page, { popupId, send, copy: copyFromPage }, { isForOptions });

/** While the port is open, the background shows no notification, because the popup shows the result. */
function connectPort(lostAtMs = Number.NEGATIVE_INFINITY): void {
  browser.runtime.connect({ name: `${POPUP_PORT}${popupId}` }).onDisconnect.addListener(() => {
    // A restarted background does not know of the popup. Wait if it stops repeatedly.
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
    // If unknown, treat the window as private, so that nothing is saved.
    isPrivate: tab?.incognito ?? true,
    tabId: tab?.id,
  };
}

async function confirmationPage(): Promise<TabPage> {
  const answer = await send('readConfirmation', {});
  const pending = answer.ok && answer.data;
  // If unknown, treat the window as private, so that nothing is saved.
  if (!pending) return { url: undefined, title: '', isPrivate: true };
  await send('clearConfirmation', { id: pending.id });
  return { url: pending.url, title: pending.title, isPrivate: pending.isPrivate };
}

async function openTab(url: string): Promise<void> {
  // A notification opens a normal window, even for a URL from a private one.
  if (isAboutConfirmation && (await page).isPrivate) await openPrivately(url);
  else await browser.tabs.create({ url });
  window.close();
}

/** Falls back to a normal tab if the extension may not open private windows. */
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

// Loads while the background responds and the frame is painted.
void Outcome.preload();
const started = state.start();
// Paint the page's static frame first, while the background responds.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  // An invisible page gets no animation frame.
  setTimeout(resolve, FRAME_LIMIT_MS);
});
// Only the form is awaited before rendering, if the popup was opened for it.
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
const { watchWaiting } = await import('../../pages/popup/state/queued-requests.ts');
await Promise.all([started, watchWaiting(state)]);
requestIdleCallback(() => void OptionsForm.preload());
