import type { Reply } from '../../../messaging/protocol.ts';
import type { PopupCore } from './popup-core.ts';

/** Asks the background what to do with the tab's page. */
export async function requestStart({
  page,
  isForOptions,
  send,
}: Pick<PopupCore, 'page' | 'isForOptions' | 'send'>): Promise<Reply<'startPopup'>> {
  const { url, isPrivate, tabId } = await page;
  return send('startPopup', { url, isPrivate, tabId, isForOptions });
}
