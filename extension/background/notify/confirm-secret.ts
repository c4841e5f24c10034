import { browser } from 'wxt/browser';
import { t } from '../../../shared/i18n/translate.ts';
import { formatSecrets } from '../../i18n/secrets-text.ts';
import type { PendingConfirmation } from '../../messaging/protocol.ts';
import { pendingConfirmation } from '../../storage/items.ts';
import { ABOUT_CONFIRMATION, POPUP_PAGE } from '../../urls/extension-pages.ts';
import type { FoundSecrets } from '../../urls/find-secrets.ts';
import { notify, openSmallWindow } from './notify.ts';

/** The id of the only one: another replaces it. */
const NOTIFICATION = 'url-has-secret';

/** Sends nothing. Shows a notification that opens the confirmation when clicked. */
export async function requestConfirmation(
  pending: Omit<PendingConfirmation, 'id'>,
  { secrets }: FoundSecrets,
): Promise<void> {
  await pendingConfirmation.update(() => ({ ...pending, id: crypto.randomUUID() }));
  // Systems keep a history of notifications, so one from a private window contains no part of the URL.
  const message = pending.isPrivate
    ? t('secret_not_sent')
    : t('two_sentences', t('secret_found', formatSecrets(secrets)), t('secret_not_sent'));
  await notify('failed', { title: t('secret_title'), message }, NOTIFICATION, openConfirmation);
}

/** Call synchronously at startup: a listener added later misses the click that woke the worker. */
export function listenToConfirmations(): void {
  browser.notifications.onClicked.addListener((id) => {
    if (id === NOTIFICATION) void browser.notifications.clear(id).then(openConfirmation);
  });
}

/**
 * Deletes a pending confirmation, so that a URL with a secret is stored as briefly as possible. Separate
 * from reading, which may be repeated if the worker stops. Does not delete a newer one.
 */
export async function clearConfirmation(id: string): Promise<void> {
  await pendingConfirmation.update((pending) => (pending?.id === id ? null : pending));
}

/** Opens a window, because browsers only open the toolbar popup if one of their windows has focus. */
function openConfirmation(): Promise<void> {
  return openSmallWindow(`${POPUP_PAGE}${ABOUT_CONFIRMATION}`);
}
