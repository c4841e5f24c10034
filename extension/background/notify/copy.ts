import { browser } from 'wxt/browser';
import { createKeyedMutex } from '../../../shared/keyed-mutex.ts';
import { systemTime, type Time } from '../../../shared/time.ts';
import { COPY_IN_OFFSCREEN, type CopyReply } from '../../messaging/offscreen.ts';
import { OFFSCREEN_PAGE } from '../../urls/extension-pages.ts';

/**
 * Chromium stores the text a moment after the document has copied it, and may drop it if the document is
 * gone by then. Less than the 30 seconds after which Chromium stops an idle worker.
 */
const CLOSE_AFTER_MS = 5000;

const runExclusive = createKeyedMutex();
let cancelClosing = () => {};

/**
 * Copies text without a visible page. Firefox's background page can use the clipboard; Chromium's
 * worker cannot, and uses an offscreen document.
 *
 * @returns whether the text was copied
 */
export function copyFromBackground(text: string, time = systemTime): Promise<boolean> {
  if (import.meta.env.FIREFOX) return copyDirectly(text);
  return runExclusive('', () => copyOffscreen(text, time));
}

async function copyDirectly(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

async function copyOffscreen(text: string, { after }: Time): Promise<boolean> {
  cancelClosing();
  try {
    if (!(await browser.offscreen.hasDocument())) {
      await browser.offscreen.createDocument({
        url: OFFSCREEN_PAGE,
        reasons: ['CLIPBOARD'],
        justification: 'Copies the short link to the clipboard.',
      });
    }
    const reply: CopyReply = await browser.runtime.sendMessage({ kind: COPY_IN_OFFSCREEN, text });
    return reply.copied;
  } catch {
    return false;
  } finally {
    let isNeeded = false;
    const cancel = after(CLOSE_AFTER_MS, () =>
      // Not while another copy uses it, nor just after that.
      runExclusive('', async () => (isNeeded ? undefined : closeOffscreen())),
    );
    cancelClosing = () => {
      isNeeded = true;
      cancel();
    };
  }
}

async function closeOffscreen(): Promise<void> {
  // There is none if creating it failed.
  await browser.offscreen.closeDocument().catch(() => {});
}
