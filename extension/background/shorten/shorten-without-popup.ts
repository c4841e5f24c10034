import { explain } from '../../i18n/error-text.ts';
import { formatCount } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { formatCopy } from '../../links/copy-format.ts';
import type { AddressPlan, FailureCode, MadeAnswer, Settings } from '../../messaging/protocol.ts';
import { readSettings } from '../data/settings.ts';
import { findLinks, selectReusable } from '../links/link-store.ts';
import { awaitWord } from '../notify/confirm-secret.ts';
import { copyFromBackground } from '../notify/copy.ts';
import { tell, tellWorking } from '../notify/notify.ts';
import type { LinkMaker } from '../queue/queue.ts';
import { ownFailure } from '../to-failure.ts';
import { planPage } from './resolve-target.ts';

export type QuietWish = {
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
export async function shortenQuietly(makeLink: LinkMaker, wish: QuietWish): Promise<void> {
  tellWorking();
  const ended = await fulfil(makeLink, wish).catch(ownFailure);
  if ('ok' in ended) {
    const { title, text } = explain(ended);
    return tell('failed', { title, message: text });
  }
  const { answer, plan, settings } = ended;
  if (!answer) return;
  const told = { ...wish, ...('address' in plan && { plan }) };
  await tellAnswer(answer, { ...settings, copyAtOnce: true }, told);
}

async function fulfil(makeLink: LinkMaker, wish: QuietWish) {
  const settings = await readSettings();
  const plan = wish.address
    ? await planPage(wish.address, wish.tabId, settings)
    : { refusal: wish.missing };
  return { answer: await findOrMake(makeLink, wish, plan, settings), plan, settings };
}

type Told = Pick<Partial<QuietWish>, 'isPrivate' | 'title'> & {
  /** What became of its address, which is worth telling. */
  plan?: AddressPlan;
};

/** Says how a wish ended that no popup shows, and copies its link if asked to. */
export async function tellAnswer(
  answer: MadeAnswer,
  { serverOrigin, copyAtOnce, copyFormat }: Settings,
  { isPrivate, title, plan }: Told = {},
): Promise<void> {
  if (!answer.ok) {
    const words = explain(answer, serverOrigin);
    return tell(answer.kept ? 'kept' : 'failed', { title: words.title, message: words.text });
  }
  const { shortUrl } = answer.data;
  const notes = [
    ...(plan ? notesOn(plan, shortUrl) : []),
    ...(answer.notKept ? [t('link_not_saved')] : []),
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
  { isPrivate, title }: QuietWish,
  plan: AddressPlan | { refusal: FailureCode },
  { serverOrigin: origin }: Settings,
): Promise<MadeAnswer | undefined> {
  if ('refusal' in plan) return { ok: false, code: plan.refusal };
  const { address, fullAddress, warning, ownLink } = plan;
  const links = await findLinks(origin, address, isPrivate, Date.now());
  const there = selectReusable(links) ?? ownLink;
  if (there) return { ok: true, data: there };
  const request = { originalUrl: address };
  if (!warning) return makeLink({ origin, request, isPrivate, title, takesMade: true });
  await awaitWord({ url: fullAddress, title: title ?? '', isPrivate }, warning);
  return undefined;
}
