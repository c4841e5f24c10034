import { browser } from 'wxt/browser';
import { copySelected } from '../../../shared/ui/copy-text.js';
import { type CopyReply, isCopyRequest } from '../../messaging/offscreen.ts';

browser.runtime.onMessage.addListener((message: unknown): Promise<CopyReply> | undefined => {
  if (!isCopyRequest(message)) return undefined;
  return Promise.resolve({ copied: copySelected(message.text) });
});
