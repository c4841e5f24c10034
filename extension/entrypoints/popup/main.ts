import '../../i18n/browser-messages.ts';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../../shared/i18n/translate.ts';
import { send } from '../../messaging/send.ts';
import type { TabPage } from '../../pages/popup/state/popup-model.ts';
import { pageOf, requestStart } from '../../pages/popup/tab-page.ts';
import { ABOUT_CONFIRMATION, POPUP_PORT, WITH_OPTIONS } from '../../urls/extension-pages.ts';

const RECONNECT_MS = 1000;
const FRAME_LIMIT_MS = 100;

const popupId = crypto.randomUUID();

connectPort();
// To read the first text, the process waits for the browser. Of the languages, only Arabic mirrors what is painted.
if (browser.i18n.getUILanguage().startsWith('ar')) translateDocument('popup_title');

const isForOptions = location.hash === WITH_OPTIONS;
const isAboutConfirmation = location.hash === ABOUT_CONFIRMATION;
const page = isAboutConfirmation ? confirmationPage() : tabPage();
const start = requestStart({ page, isForOptions, popupId, send });

// If the static frame is not painted yet, it comes first, while the background responds: loading the rest would delay both.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  // A hidden page gets no animation frame.
  setTimeout(resolve, FRAME_LIMIT_MS);
});
const { openPopup } = await import('../../pages/popup/open-popup.tsx');
await openPopup({ popupId, page, start, isForOptions, isAboutConfirmation });

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
  // If unknown, treat the page as private: nothing is saved.
  return tab ? pageOf(tab) : { url: undefined, title: '', isPrivate: true };
}

async function confirmationPage(): Promise<TabPage> {
  const answer = await send('readConfirmation', {});
  const pending = answer.ok && answer.data;
  // If unknown, treat the page as private: nothing is saved.
  if (!pending) return { url: undefined, title: '', isPrivate: true };
  await send('clearConfirmation', { id: pending.id });
  return { url: pending.url, title: pending.title, isPrivate: pending.isPrivate };
}
