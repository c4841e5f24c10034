import { browser } from 'wxt/browser';
import { POPUP_PORT } from '../messaging/popup-port.ts';

/** To be called as the worker starts. @returns whether the popup with an id is open now */
export function watchPopups(): (popupId: string) => boolean {
  const open = new Set<string>();
  browser.runtime.onConnect.addListener(({ name, onDisconnect }) => {
    if (!name.startsWith(POPUP_PORT)) return;
    const popupId = name.slice(POPUP_PORT.length);
    open.add(popupId);
    onDisconnect.addListener(() => open.delete(popupId));
  });
  return (popupId) => open.has(popupId);
}
