import { browser } from 'wxt/browser';
import { type CopyReply, isCopyRequest } from '../../messaging/offscreen.ts';

browser.runtime.onMessage.addListener((message: unknown): Promise<CopyReply> | undefined => {
  if (!isCopyRequest(message)) return undefined;
  const field = document.querySelector('textarea') as HTMLTextAreaElement;
  field.value = message.text;
  field.select();
  const copied = document.execCommand('copy');
  field.value = '';
  return Promise.resolve({ copied });
});
