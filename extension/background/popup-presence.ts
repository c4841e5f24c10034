import { browser } from 'wxt/browser';
import { POPUP_PORT } from '../popup-port.ts';

/** To be called as the worker starts. @returns whether a popup is open now */
export function watchPopups(): () => boolean {
  const open = new Set<unknown>();
  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== POPUP_PORT) return;
    open.add(port);
    port.onDisconnect.addListener(() => open.delete(port));
  });
  return () => open.size > 0;
}
