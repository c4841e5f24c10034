import { browser } from 'wxt/browser';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { formatDate } from '../../../shared/i18n/format-time.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { formatCopy } from '../../../shared/links/copy-format.ts';
import { withoutProtocol } from '../../../shared/links/link-address.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { PageLink } from '../../links/link.ts';
import { copiesOffered, type PendingRequest, unsavedNoticeShown } from '../../storage/items.ts';
import { openLinksPage } from '../../urls/extension-pages.ts';
import { readSettings } from '../data/settings.ts';
import type { DeferredOutcome } from '../queue/queue.ts';
import { copyFromBackground } from './copy.ts';
import { notify, notifyCopied } from './notify.ts';

/** Prefix of the ids of notifications that copy a link when clicked. */
const OFFER = 'copy-';
const MAX_OFFERS = 50;

/**
 * Shows the result of a queued request in a notification. Does not copy the link, which could
 * overwrite something else in the clipboard: a click on the notification does.
 */
export async function notifyDeferred(
  pending: PendingRequest,
  outcome: DeferredOutcome,
): Promise<void> {
  try {
    if (outcome.ok) await offerCopy(pending, outcome.data);
    else await notify('failed', failureNotification(pending, outcome));
  } catch {
    // The notification failed. The badge is shown, and the link is in the list of links.
  }
}

/** Says that no queued request is sent, because the storage can't be written. */
export async function notifyUnsaved(): Promise<void> {
  // Each start of the worker finds that out again.
  if (await unsavedNoticeShown.read()) return;
  await unsavedNoticeShown.updateIfPossible(() => true);
  try {
    await notify('failed', { title: t('queue_unsaved_title'), message: t('queue_unsaved_text') });
  } catch {
    // The notification failed. The badge is shown, and the popup lists the requests.
  }
}

/** Shows a link in a notification. A click copies it. */
export async function offerCopy(
  { isPrivate }: Pick<PendingRequest, 'isPrivate'>,
  link: PageLink,
): Promise<void> {
  const id = `${OFFER}${crypto.randomUUID()}`;
  const { copyFormat } = await readSettings();
  const text = formatCopy(link, copyFormat);
  await copiesOffered.update((others) =>
    Object.fromEntries([...Object.entries(others), [id, text]].slice(-MAX_OFFERS)),
  );
  // Systems keep a history of notifications, so one from a private window contains no link.
  const message = isPrivate ? t('queued_private_ready') : `${link.shortUrl}\n${t('click_to_copy')}`;
  await notify('done', { title: t('link_created'), message }, id);
}

function failureNotification(
  pending: PendingRequest,
  outcome: Exclude<DeferredOutcome, { ok: true }>,
) {
  const url = pending.isPrivate ? t('private_page') : shownUrl(pending.request.originalUrl);
  if (outcome.code !== 'given_up') {
    return {
      title: t('queued_rejected_title'),
      message: `${url}\n${failureSentences(errorText(outcome, pending.origin))}`,
    };
  }
  const server = new URL(pending.origin).host;
  const since = formatDate(new Date(pending.requestedAtMs));
  return {
    title: t('given_up_title'),
    message: outcome.isIndeterminate
      ? t('given_up_indeterminate', server, url)
      : t('given_up_text', since, server, url),
  };
}

const MAX_URL_CHARACTERS = 80;

function shownUrl(url: string): string {
  const text = withoutProtocol(url);
  return text.length > MAX_URL_CHARACTERS ? `${text.slice(0, MAX_URL_CHARACTERS)}…` : text;
}

/** Call synchronously at startup: a listener added later misses the click that woke the worker. */
export function listenToCopyOffers(): void {
  browser.notifications.onClicked.addListener((id) => {
    if (id.startsWith(OFFER)) void copyOffered(id);
  });
}

async function copyOffered(id: string): Promise<void> {
  const text = (await copiesOffered.read())[id];
  await browser.notifications.clear(id);
  // The notification is from before the browser restarted. The list has the link.
  if (text === undefined) return openLinksPage();
  const isCopied = await copyFromBackground(text);
  await notifyCopied(isCopied, isCopied ? t('link_in_clipboard') : text);
}
