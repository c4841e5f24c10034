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

/** While this is open, the background leaves it to the popup to say how things went. */
function connectPort(lostAtMs = Number.NEGATIVE_INFINITY): void {
  browser.runtime.connect({ name: `${POPUP_PORT}${popupId}` }).onDisconnect.addListener(() => {
    // A background that was stopped starts anew, and knows of no popup. One that ends again and
    // again is not called without a pause.
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
    // In doubt nothing of what is written here is kept.
    isPrivate: tab?.incognito ?? true,
    tabId: tab?.id,
  };
}

async function confirmationPage(): Promise<TabPage> {
  const answer = await send('readConfirmation', {});
  const pending = answer.ok && answer.data;
  // In doubt nothing of what is written here is kept.
  if (!pending) return { url: undefined, title: '', isPrivate: true };
  await send('clearConfirmation', { id: pending.id });
  return { url: pending.url, title: pending.title, isPrivate: pending.isPrivate };
}

async function openTab(url: string): Promise<void> {
  // A window that a notification opened is a normal one, whatever it asks about.
  if (isAboutConfirmation && (await page).isPrivate) await openPrivately(url);
  else await browser.tabs.create({ url });
  window.close();
}

/** Where the extension may open no private windows, nothing has come from one. */
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

// On its way while the background is asked and the frame is drawn.
void Outcome.preload();
const started = state.start();
// The page itself shows a frame, and the background is asked meanwhile.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  // Where it is not to be seen there is no frame.
  setTimeout(resolve, FRAME_LIMIT_MS);
});
// The form is what was asked for; all else is drawn before anything is waited for.
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
