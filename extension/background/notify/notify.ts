import { browser } from 'wxt/browser';
import { t } from '../../../shared/i18n/translate.ts';
import { systemTime } from '../../../shared/time.ts';
import { noticePageOf } from '../../urls/extension-pages.ts';

const BADGE_MS = 4000;
/** Size of a window with the popup in it, including its frame. */
const WINDOW = { width: 380, height: 520 } as const;
const BADGE = {
  working: ['…', '#5c615c'],
  done: ['✓', '#0b6b57'],
  queued: ['…', '#5c615c'],
  failed: ['!', '#b3261e'],
} as const;

let cancelClearing = () => {};

/**
 * Shows a result without a popup: a short badge, and a notification with the text. If the user has switched
 * notifications off, a failure opens a window instead.
 */
export async function notify(
  outcome: 'done' | 'queued' | 'failed',
  { title, message }: { title: string; message: string },
  /** Id of the notification. It replaces a notification with the same id. */
  id: string = crypto.randomUUID(),
  /** For what needs an answer. @default shows the text */
  openWindow = () => openSmallWindow(noticePageOf(title, message)),
): Promise<void> {
  showBadge(outcome);
  if (await areDenied()) {
    if (outcome === 'failed') await openWindow();
    return;
  }
  await browser.notifications.create(id, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('/icon/128.png'),
    title: t('label_of', t('extension_name'), title),
    message,
  });
}

/** Says whether a link was copied. @param message if it was not, with the link */
export function notifyCopied(isCopied: boolean, message: string): Promise<void> {
  const title = t(isCopied ? 'short_link_copied' : 'link_created_not_copied');
  return notify(isCopied ? 'done' : 'failed', { title, message });
}

/** Only Chromium tells. */
async function areDenied(): Promise<boolean> {
  const { getPermissionLevel } = browser.notifications as Partial<
    Pick<typeof browser.notifications, 'getPermissionLevel'>
  >;
  return (await getPermissionLevel?.()) === 'denied';
}

/** Opens an extension page in a window of the size of a popup. */
export async function openSmallWindow(path: string): Promise<void> {
  // Firefox for Android has tabs only.
  if (!browser.windows) await browser.tabs.create({ url: path });
  else await browser.windows.create({ type: 'popup', url: path, ...WINDOW });
}

/** Shows that a request without a popup is in progress, until `notify` is called. */
export function notifyWorking(): void {
  showBadge('working');
}

/** Clears the badge. Also called at startup, because a stopped worker may leave its badge. */
export function clearBadge(): void {
  void browser.action.setBadgeText({ text: '' });
}

function showBadge(outcome: keyof typeof BADGE): void {
  const [text, color] = BADGE[outcome];
  void browser.action.setBadgeBackgroundColor({ color });
  void browser.action.setBadgeTextColor({ color: '#ffffff' });
  void browser.action.setBadgeText({ text });
  cancelClearing();
  if (outcome !== 'working') cancelClearing = systemTime.after(BADGE_MS, clearBadge);
}
