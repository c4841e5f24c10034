import { browser } from 'wxt/browser';
import { formatSecrets } from '../../i18n/secrets-text.ts';
import { t } from '../../i18n/translate.ts';
import { ABOUT_CONFIRMATION } from '../../messaging/popup-port.ts';
import type { PendingConfirmation, SecretWarning } from '../../messaging/protocol.ts';
import { pendingConfirmation } from '../../storage/items.ts';
import { notify } from './notify.ts';

/** One at a time: the next one takes its place. */
const NOTIFICATION = 'address-has-secret';
/** Of a window with the popup in it, frame included. */
const WINDOW = { width: 380, height: 520 } as const;

/** Sends nothing, and says by a notification what to press for the question that a popup asks. */
export async function requestConfirmation(
  pending: Omit<PendingConfirmation, 'id'>,
  { secrets }: SecretWarning,
): Promise<void> {
  await pendingConfirmation.update(() => ({ ...pending, id: crypto.randomUUID() }));
  // Systems keep notifications: one from a private window names nothing of the address.
  const found = pending.isPrivate ? [] : [t('secret_found', formatSecrets(secrets))];
  await notify(
    'failed',
    {
      title: t('secret_title'),
      message: [...found, t('secret_not_sent')].join(' '),
    },
    NOTIFICATION,
  );
}

/** To be called as the worker starts: a listener added later misses the click that woke it. */
export function listenToConfirmations(): void {
  browser.notifications.onClicked.addListener((id) => {
    if (id === NOTIFICATION) void confirmInWindow();
  });
}

/** What was asked about; null when that is over. */
export function readConfirmation(): Promise<PendingConfirmation | null> {
  return pendingConfirmation.read();
}

/**
 * For whoever has it now: an address with a secret is kept no longer than it must be. Apart from
 * reading, which a stopped worker may have to do twice. One that came meanwhile stays.
 */
export async function clearConfirmation(id: string): Promise<void> {
  await pendingConfirmation.update((pending) => (pending?.id === id ? null : pending));
}

/** Not the button's popup: browsers open that only where a window of theirs is in front. */
async function confirmInWindow(): Promise<void> {
  await browser.notifications.clear(NOTIFICATION);
  const url = browser.runtime.getURL(`/popup.html${ABOUT_CONFIRMATION}`);
  await browser.windows.create({ type: 'popup', url, ...WINDOW });
}
