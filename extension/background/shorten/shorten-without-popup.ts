import { errorText } from '../../i18n/error-text.ts';
import { formatCount } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type {
  FailureCode,
  Settings,
  ShortenResult,
  ShortenTarget,
} from '../../messaging/protocol.ts';
import { readSettings } from '../data/settings.ts';
import { findLinks, selectReusable } from '../links/link-store.ts';
import { requestConfirmation } from '../notify/confirm-secret.ts';
import { copyFromBackground } from '../notify/copy.ts';
import { notify, notifyWorking } from '../notify/notify.ts';
import type { CreateLink } from '../queue/queue.ts';
import { toFailure } from '../to-failure.ts';
import { resolvePage } from './resolve-target.ts';

export type BackgroundRequest = {
  address: string | undefined;
  /** Of the tab whose page it is, if it is one's. */
  tabId?: number | undefined;
  isPrivate: boolean;
  /** What the link may be called when it is copied. */
  title: string | undefined;
  /** What is wrong when there is no address. */
  missing: FailureCode;
};

/** Shortens an address with no popup open: copies the link, and tells by notification and badge. */
export async function shortenWithoutPopup(
  createLink: CreateLink,
  pending: BackgroundRequest,
): Promise<void> {
  notifyWorking();
  const ended = await resolveAndShorten(createLink, pending).catch(toFailure);
  if ('ok' in ended) {
    const { title, text } = errorText(ended);
    return notify('failed', { title, message: text });
  }
  const { answer, plan, settings } = ended;
  if (!answer) return;
  const told = { ...pending, ...('address' in plan && { plan }) };
  await notifyResult(answer, { ...settings, copyAtOnce: true }, told);
}

async function resolveAndShorten(createLink: CreateLink, pending: BackgroundRequest) {
  const settings = await readSettings();
  const plan = pending.address
    ? await resolvePage(pending.address, pending.tabId, settings)
    : { failure: pending.missing };
  return { answer: await findOrCreate(createLink, pending, plan, settings), plan, settings };
}

type Told = Pick<Partial<BackgroundRequest>, 'isPrivate' | 'title'> & {
  /** What became of its address, which is worth telling. */
  plan?: ShortenTarget;
};

/** Says how a wish ended that no popup shows, and copies its link if asked to. */
export async function notifyResult(
  answer: ShortenResult,
  { serverOrigin, copyAtOnce, copyFormat }: Settings,
  { isPrivate, title, plan }: Told = {},
): Promise<void> {
  if (!answer.ok) {
    const words = errorText(answer, serverOrigin);
    return notify(answer.queued ? 'queued' : 'failed', { title: words.title, message: words.text });
  }
  const { shortUrl } = answer.data;
  const notes = [
    ...(plan ? notesFor(plan, shortUrl) : []),
    ...(answer.notSaved ? [t('link_not_saved')] : []),
  ];
  const noted = (message: string) => [message, ...notes].join('\n');
  if (!copyAtOnce) return notify('done', { title: t('link_created'), message: noted(shortUrl) });
  const isCopied = await copyFromBackground(
    formatCopy({ ...answer.data, title: answer.data.title || (title ?? '') }, copyFormat),
  );
  return notify(isCopied ? 'done' : 'failed', {
    title: t(isCopied ? 'short_link_copied' : 'link_created_not_copied'),
    // Systems keep notifications: one from a private window names the link only where it must.
    message: noted(isPrivate && isCopied ? t('link_in_clipboard') : shortUrl),
  });
}

function notesFor({ siteShortLink, tabUrl, removed }: ShortenTarget, shortUrl: string): string[] {
  if (siteShortLink?.shortUrl === shortUrl) return [t('own_short_link')];
  return [
    ...(tabUrl === undefined ? [] : [t('canonical_url_used')]),
    ...(removed.length > 0 ? [formatCount('tracking_removed', removed.length)] : []),
  ];
}

/** @returns nothing where the user must be asked first */
async function findOrCreate(
  createLink: CreateLink,
  { isPrivate, title }: BackgroundRequest,
  plan: ShortenTarget | { failure: FailureCode },
  { serverOrigin: origin }: Settings,
): Promise<ShortenResult | undefined> {
  if ('failure' in plan) return { ok: false, code: plan.failure };
  const { address, fullUrl, warning, siteShortLink } = plan;
  const links = await findLinks(origin, address, isPrivate, Date.now());
  const there = selectReusable(links) ?? siteShortLink;
  if (there) return { ok: true, data: there };
  const request = { originalUrl: address };
  if (!warning) return createLink({ origin, request, isPrivate, title, reuseExisting: true });
  await requestConfirmation({ url: fullUrl, title: title ?? '', isPrivate }, warning);
  return undefined;
}
