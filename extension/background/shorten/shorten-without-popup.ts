import { errorText } from '../../i18n/error-text.ts';
import { formatCount } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type {
  AddressPlan,
  FailureCode,
  Settings,
  ShortenResult,
} from '../../messaging/protocol.ts';
import { readSettings } from '../data/settings.ts';
import { findLinks, selectReusable } from '../links/link-store.ts';
import { awaitWord } from '../notify/confirm-secret.ts';
import { copyFromBackground } from '../notify/copy.ts';
import { notifyWorking, tell } from '../notify/notify.ts';
import type { LinkMaker } from '../queue/queue.ts';
import { toFailure } from '../to-failure.ts';
import { planPage } from './resolve-target.ts';

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
export async function shortenQuietly(
  makeLink: LinkMaker,
  pending: BackgroundRequest,
): Promise<void> {
  notifyWorking();
  const ended = await fulfil(makeLink, pending).catch(toFailure);
  if ('ok' in ended) {
    const { title, text } = errorText(ended);
    return tell('failed', { title, message: text });
  }
  const { answer, plan, settings } = ended;
  if (!answer) return;
  const told = { ...pending, ...('address' in plan && { plan }) };
  await notifyResult(answer, { ...settings, copyAtOnce: true }, told);
}

async function fulfil(makeLink: LinkMaker, pending: BackgroundRequest) {
  const settings = await readSettings();
  const plan = pending.address
    ? await planPage(pending.address, pending.tabId, settings)
    : { failure: pending.missing };
  return { answer: await findOrMake(makeLink, pending, plan, settings), plan, settings };
}

type Told = Pick<Partial<BackgroundRequest>, 'isPrivate' | 'title'> & {
  /** What became of its address, which is worth telling. */
  plan?: AddressPlan;
};

/** Says how a wish ended that no popup shows, and copies its link if asked to. */
export async function notifyResult(
  answer: ShortenResult,
  { serverOrigin, copyAtOnce, copyFormat }: Settings,
  { isPrivate, title, plan }: Told = {},
): Promise<void> {
  if (!answer.ok) {
    const words = errorText(answer, serverOrigin);
    return tell(answer.queued ? 'queued' : 'failed', { title: words.title, message: words.text });
  }
  const { shortUrl } = answer.data;
  const notes = [
    ...(plan ? notesOn(plan, shortUrl) : []),
    ...(answer.notSaved ? [t('link_not_saved')] : []),
  ];
  const noted = (message: string) => [message, ...notes].join('\n');
  if (!copyAtOnce) return tell('done', { title: t('link_created'), message: noted(shortUrl) });
  const isCopied = await copyFromBackground(
    formatCopy({ ...answer.data, title: answer.data.title || (title ?? '') }, copyFormat),
  );
  return tell(isCopied ? 'done' : 'failed', {
    title: t(isCopied ? 'short_link_copied' : 'link_created_not_copied'),
    // Systems keep notifications: one from a private window names the link only where it must.
    message: noted(isPrivate && isCopied ? t('link_in_clipboard') : shortUrl),
  });
}

function notesOn({ ownLink, tabAddress, removed }: AddressPlan, shortUrl: string): string[] {
  if (ownLink?.shortUrl === shortUrl) return [t('own_short_link')];
  return [
    ...(tabAddress === undefined ? [] : [t('canonical_url_used')]),
    ...(removed.length > 0 ? [formatCount('tracking_removed', removed.length)] : []),
  ];
}

/** @returns nothing where the user must be asked first */
async function findOrMake(
  makeLink: LinkMaker,
  { isPrivate, title }: BackgroundRequest,
  plan: AddressPlan | { failure: FailureCode },
  { serverOrigin: origin }: Settings,
): Promise<ShortenResult | undefined> {
  if ('failure' in plan) return { ok: false, code: plan.failure };
  const { address, fullAddress, warning, ownLink } = plan;
  const links = await findLinks(origin, address, isPrivate, Date.now());
  const there = selectReusable(links) ?? ownLink;
  if (there) return { ok: true, data: there };
  const request = { originalUrl: address };
  if (!warning) return makeLink({ origin, request, isPrivate, title, reuseExisting: true });
  await awaitWord({ url: fullAddress, title: title ?? '', isPrivate }, warning);
  return undefined;
}
