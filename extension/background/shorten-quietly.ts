import { explain } from '../explain.ts';
import { t } from '../i18n.ts';
import type { Answer, FailureCode, MadeLink } from '../messages.ts';
import { refusalOf } from '../page-address.ts';
import { copyFromBackground } from './copy.ts';
import type { LinkMaker } from './link-maker.ts';
import { findMadeLink } from './made-links.ts';
import { readSettings } from './settings.ts';
import { tell, tellWorking } from './tell.ts';

export type QuietWish = {
  address: string | undefined;
  isPrivate: boolean;
  /** What is wrong when there is no address. */
  missing: FailureCode;
};

/** Shortens an address with no popup open: copies the link, and tells by notification and badge. */
export async function shortenQuietly(makeLink: LinkMaker, wish: QuietWish): Promise<void> {
  tellWorking();
  const { serverOrigin } = await readSettings();
  const answer = await findOrMake(makeLink, wish, serverOrigin).catch(
    (): Answer<MadeLink> => ({ ok: false, code: 'extension_failed' }),
  );
  await tellAnswer(answer, { serverOrigin, isPrivate: wish.isPrivate, isCopying: true });
}

/** Says how a wish ended that no popup shows, and copies its link if asked to. */
export async function tellAnswer(
  answer: Answer<MadeLink>,
  {
    serverOrigin,
    isPrivate,
    isCopying,
  }: { serverOrigin: string; isPrivate: boolean; isCopying: boolean },
): Promise<void> {
  if (!answer.ok) {
    const { title, text } = explain(answer, serverOrigin);
    return tell('failed', { title, message: text });
  }
  const { shortUrl } = answer.data;
  if (!isCopying) return tell('done', { title: t('made'), message: shortUrl });
  const isCopied = await copyFromBackground(shortUrl);
  return tell(isCopied ? 'done' : 'failed', {
    title: t(isCopied ? 'short_link_copied' : 'made_not_copied'),
    // Systems keep notifications: one from a private window names the link only where it must.
    message: isPrivate && isCopied ? t('link_in_clipboard') : shortUrl,
  });
}

async function findOrMake(
  makeLink: LinkMaker,
  { address, isPrivate, missing }: QuietWish,
  origin: string,
): Promise<Answer<MadeLink>> {
  if (!address) return { ok: false, code: missing };
  const refusal = refusalOf(address, origin);
  if (refusal) return { ok: false, code: refusal };
  const existing = await findMadeLink(origin, address, isPrivate, Date.now());
  if (existing) return { ok: true, data: existing };
  return makeLink({ origin, request: { originalUrl: address }, isPrivate });
}
