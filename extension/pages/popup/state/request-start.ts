import type { Reply } from '../../../messaging/protocol.ts';
import type { PopupCore } from './popup-core.ts';

/** Requests the short link of the tab's page, or what to decide first. */
export async function requestStart({
  page,
  isForOptions,
  domains,
  popupId,
  send,
}: Pick<PopupCore, 'page' | 'isForOptions' | 'popupId' | 'send'> &
  Partial<Pick<PopupCore, 'domains'>>): Promise<Reply<'startPopup'>> {
  const { url, title: pageTitle, isPrivate, tabId, isLoading } = await page;
  const requestId = crypto.randomUUID();
  return send('startPopup', {
    url,
    isPrivate,
    tabId,
    isLoading,
    isForOptions,
    domain: domains?.value?.chosen,
    pageTitle,
    popupId,
    requestId,
  });
}
