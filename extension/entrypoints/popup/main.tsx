import { render } from 'preact';
import { browser } from 'wxt/browser';
import { translateDocument } from '../../i18n.ts';
import { send } from '../../messages.ts';
import { copyFromPage } from '../../page-clipboard.ts';
import { Popup } from '../../popup/Popup.tsx';
import { createPopupState } from '../../popup/popup-state.ts';
import { POPUP_PORT, WITH_OPTIONS } from '../../popup-port.ts';

translateDocument('popup_title');
// While this is open, the background leaves it to the popup to say how things went.
browser.runtime.connect({ name: POPUP_PORT });

const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
const state = createPopupState(
  { url: tab?.url, title: tab?.title ?? '', isPrivate: tab?.incognito ?? false },
  { send, copy: copyFromPage },
  { isForOptions: location.hash === WITH_OPTIONS },
);

async function openTab(url: string): Promise<void> {
  await browser.tabs.create({ url });
  window.close();
}

async function openSettings(): Promise<void> {
  await browser.runtime.openOptionsPage();
  window.close();
}

render(
  <Popup state={state} onOpenLink={openTab} onOpenSettings={openSettings} />,
  document.getElementById('app') as HTMLElement,
);
await state.start();
