import { formatCount } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { formatCopy } from '../../../shared/links/copy-format.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { PageLink } from '../../links/link.ts';
import type {
  CreatedLink,
  FailureCode,
  Result,
  Settings,
  ShortenTarget,
} from '../../messaging/protocol.ts';
import { toFailure } from '../../storage/stored-area.ts';
import { isForServerOnly } from '../../urls/server-origin.ts';
import { readSettings } from '../data/settings.ts';
import { requestConfirmation } from '../notify/confirm-secret.ts';
import { copyFromBackground } from '../notify/copy.ts';
import { notify, notifyCopied, notifyWorking } from '../notify/notify.ts';
import { offerCopy } from '../notify/notify-deferred.ts';
import { resolvePage } from './resolve-target.ts';
import type { Shorten } from './shorten.ts';

type BackgroundRequest = {
  url: string | undefined;
  /** The tab whose page it is, if any. */
  tabId?: number | undefined;
  /** Whether the tab is still loading: it may have no URL yet. @default false */
  isLoading?: boolean | undefined;
  isPrivate: boolean;
  /** Title to use when the link is copied. */
  title: string | undefined;
  /** The failure if there is no URL. */
  missing: FailureCode;
};

/** Shortens a URL without the popup: copies the link, and shows a badge and a notification. */
export async function shortenWithoutPopup(
  shorten: Shorten,
  request: BackgroundRequest,
): Promise<void> {
  notifyWorking();
  try {
    await shortenAndNotify(shorten, request, await readSettings());
  } catch (error) {
    const { title, text } = errorText(toFailure(error));
    await notify('failed', { title, message: text });
  }
}

async function shortenAndNotify(
  shorten: Shorten,
  { url, tabId, isLoading, isPrivate, title, missing }: BackgroundRequest,
  settings: Settings,
): Promise<void> {
  const target =
    url || isLoading
      ? await resolvePage({ url, tabId, isLoading }, settings)
      : { failure: missing };
  if ('failure' in target) return notifyResult({ ok: false, code: target.failure }, settings);
  const { siteShortLink, fullUrl } = target;
  const request = { originalUrl: target.url };
  const outcome = await shorten({ request, isPrivate, title, siteShortLink }, settings, {
    reuseExisting: true,
  });
  if (outcome.status === 'needsConfirmation') {
    return requestConfirmation({ url: fullUrl, title: title ?? '', isPrivate }, outcome.warning);
  }
  if (outcome.status === 'paused') {
    const message = t('paused_link_text', outcome.result.data.shortUrl);
    return notify('failed', { title: t('paused_link_title'), message });
  }
  const details = { isPrivate, title, target };
  await notifyResult(outcome.result, { ...settings, copyAtOnce: true }, details);
}

type ResultDetails = Pick<Partial<BackgroundRequest>, 'isPrivate' | 'title'> & {
  /** Changes of the URL to mention. */
  target?: ShortenTarget;
};

/** Shows a result in a notification, and copies the link if the settings say so. */
export async function notifyResult(
  answer: Result<CreatedLink<PageLink>>,
  { serverOrigin, copyAtOnce, copyFormat }: Settings,
  { isPrivate, title, target }: ResultDetails = {},
): Promise<void> {
  if (!answer.ok) {
    const error = errorText(answer, serverOrigin);
    return notify(answer.queued ? 'queued' : 'failed', { title: error.title, message: error.text });
  }
  const { shortUrl } = answer.data;
  const notes = [
    ...(target ? notesFor(target, shortUrl) : []),
    ...(answer.data.notSaved ? [t('link_not_saved')] : []),
    ...(isForServerOnly(shortUrl, serverOrigin)
      ? [t('base_url_loopback', new URL(shortUrl).origin, serverOrigin)]
      : []),
  ];
  const withNotes = (message: string) => [message, ...notes].join('\n');
  const link = { ...answer.data, title: answer.data.title || (title ?? '') };
  // Systems keep a history of notifications, so one from a private window omits the link if possible.
  if (!copyAtOnce && isPrivate) return offerCopy({ isPrivate }, link);
  if (!copyAtOnce)
    return notify('done', { title: t('link_created'), message: withNotes(shortUrl) });
  const isCopied = await copyFromBackground(formatCopy(link, copyFormat));
  return notifyCopied(
    isCopied,
    withNotes(isPrivate && isCopied ? t('link_in_clipboard') : shortUrl),
  );
}

function notesFor(target: ShortenTarget, shortUrl: string): string[] {
  const { siteShortLink, tabUrl, canonicalUnread, unwrappedFrom, removed } = target;
  if (siteShortLink?.shortUrl === shortUrl) return [t('own_short_link')];
  return [
    ...(tabUrl === undefined ? [] : [t('canonical_url_used')]),
    ...(canonicalUnread ? [t('canonical_url_unread')] : []),
    ...(unwrappedFrom === undefined ? [] : [t('url_unwrapped', unwrappedFrom)]),
    ...(removed.length > 0 ? [formatCount('tracking_removed', removed.length)] : []),
  ];
}
