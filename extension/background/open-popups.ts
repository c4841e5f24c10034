import { browser } from 'wxt/browser';
import { POPUP_PORT } from '../messaging/popup-port.ts';

/** Call synchronously at startup. @returns a function that tells whether a popup is open */
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
