import { browser } from 'wxt/browser';
import { errorText } from '../../i18n/error-text.ts';
import { formatDate } from '../../i18n/format-time.ts';
import { t } from '../../i18n/translate.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type { LinkSummary } from '../../links/link.ts';
import { openLinksPage } from '../../links/open-links-page.ts';
import { copiesOffered, type PendingRequest } from '../../storage/items.ts';
import { readSettings } from '../data/settings.ts';
import type { DeferredOutcome } from '../queue/queue.ts';
import { copyFromBackground } from './copy.ts';
import { notify } from './notify.ts';

/** What the ids of notifications begin with that copy a link when they are clicked. */
const OFFER = 'copy-';
const OFFERS_MAX = 50;

/**
 * Says by a notification how a wish ended that had waited. The clipboard is left alone, since by now
 * something else may be in it: a click on the notification copies the link.
 */
export async function notifyDeferred(
  pending: PendingRequest,
  outcome: DeferredOutcome,
): Promise<void> {
  try {
    if (outcome.ok) await offerCopy(pending, outcome.data);
    else await notify('failed', failureNotification(pending, outcome));
  } catch {
    // Not even a notification can be shown. The badge stands there, the link in the list of links.
  }
}

async function offerCopy({ isPrivate }: PendingRequest, link: LinkSummary): Promise<void> {
  const id = `${OFFER}${crypto.randomUUID()}`;
  const { copyFormat } = await readSettings();
  const text = formatCopy(link, copyFormat);
  await copiesOffered.update((others) =>
    Object.fromEntries([...Object.entries(others), [id, text]].slice(-OFFERS_MAX)),
  );
  // Systems keep notifications: one from a private window names no link.
  const message = isPrivate ? t('queued_private_ready') : `${link.shortUrl}\n${t('click_to_copy')}`;
  await notify('done', { title: t('link_created'), message }, id);
}

function failureNotification(
  pending: PendingRequest,
  outcome: Exclude<DeferredOutcome, { ok: true }>,
) {
  const address = pending.isPrivate ? t('private_page') : shorten(pending.request.originalUrl);
  if (outcome.code !== 'given_up') {
    const { title, text } = errorText(outcome, pending.origin);
    return { title: t('queued_rejected_title'), message: `${address}: ${title}. ${text}` };
  }
  const server = new URL(pending.origin).host;
  const since = formatDate(new Date(pending.requestedAtMs));
  return {
    title: t('given_up_title'),
    message: outcome.isIndeterminate
      ? t('given_up_indeterminate', server, address)
      : t('given_up_text', since, server, address),
  };
}

const MAX_URL_CHARACTERS = 80;

function shorten(address: string): string {
  const text = address.replace(/^https?:\/\//, '');
  return text.length > MAX_URL_CHARACTERS ? `${text.slice(0, MAX_URL_CHARACTERS)}…` : text;
}

/** To be called as the worker starts: a listener added later misses the click that woke it. */
export function listenToCopyOffers(): void {
  browser.notifications.onClicked.addListener((id) => {
    if (id.startsWith(OFFER)) void copyOffered(id);
  });
}

async function copyOffered(id: string): Promise<void> {
  const text = (await copiesOffered.read())[id];
  await browser.notifications.clear(id);
  // The notification has outlived the browser, and all links stand there.
  if (text === undefined) return openLinksPage();
  const isCopied = await copyFromBackground(text);
  await notify(isCopied ? 'done' : 'failed', {
    title: t(isCopied ? 'short_link_copied' : 'link_created_not_copied'),
    message: isCopied ? t('link_in_clipboard') : text,
  });
}
