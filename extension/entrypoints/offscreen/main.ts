import { browser } from 'wxt/browser';
import { type CopyReply, isCopyAsk } from '../../offscreen-copy.ts';

browser.runtime.onMessage.addListener(
  (message: unknown, _, respond: (reply: CopyReply) => void) => {
    if (!isCopyAsk(message)) return;
    const field = document.querySelector('textarea') as HTMLTextAreaElement;
    field.value = message.text;
    field.select();
    const copied = document.execCommand('copy');
    field.value = '';
    respond({ copied });
  },
);
