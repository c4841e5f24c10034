import { LABEL_MAX_CHARACTERS } from '../../../shared/bounds.ts';
import type { Success } from '../../../shared/client/result.ts';
import type { Client } from '../../../shared/client.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { fitLine } from '../../../shared/links/truncate.ts';
import type { SiteLink } from '../../links/link.ts';
import type {
  CreatedLink,
  Failure,
  FirstStep,
  Settings,
  ShortenTarget,
} from '../../messaging/protocol.ts';
import { type FoundSecrets, findSecrets } from '../../urls/find-secrets.ts';
import { chosenDomain, refreshDomains } from '../account/account-domains.ts';
import { findLinks, findPlain, selectReusable } from '../data/saved-links.ts';
import type { LinkCaller } from '../links/call-links.ts';
import type { Queue } from '../queue/queue.ts';

type ShortenInput<S> = {
  request: ShortenRequest;
  isPrivate: boolean;
  /** Title of the page: the private title of the link, if the settings say so. */
  title: string | undefined;
  /** The site's own short link, which is as good as a new one. */
  siteShortLink?: S | undefined;
  /** Identifies the message, which may be repeated if its response gets lost. */
  requestId?: string | undefined;
};

export type ShortenPolicy = {
  /** Returns an existing plain link instead of creating another. @default false */
  reuseExisting?: boolean | undefined;
  /** Whether the request has all that the user wants, and no title is added. @default false */
  isFromForm?: boolean | undefined;
  /** Whether the user confirmed the secret in the URL. @default false */
  isSecretAccepted?: boolean | undefined;
};

export type ShortenOutcome<L = LinkRecord> =
  | { status: 'existing'; result: Success<CreatedLink<L>> }
  /** Nothing was sent: there is a link that the user paused, and may want to resume. */
  | { status: 'paused'; result: Success<CreatedLink<L>> }
  | { status: 'created'; result: Success<CreatedLink<L>> }
  /** Nothing was sent: the URL seems to contain a secret. */
  | { status: 'needsConfirmation'; warning: FoundSecrets }
  | { status: 'queued'; result: Failure }
  | { status: 'failed'; result: Failure };

export type StartOptions = {
  isPrivate: boolean;
  /** Whether the user is writing a form, which creates the link when it is submitted. @default false */
  isForForm?: boolean;
  /** The ID of the link whose half-written form the popup opens again, if the link is still there. */
  editedId?: string | undefined;
  /** Whether to create a link without a further click. @default false */
  createsLink?: boolean | undefined;
  /** The host of the link; undefined if there is no choice. */
  domain?: string | undefined;
};

type Decision = Exclude<FirstStep, { step: 'showResult' }> | { step: 'createLink' };

/**
 * Decides what to show first for a URL: a link that exists already, a question, or a new link. Returns
 * also all links of the URL, newest first.
 */
export async function decideFirstStep(
  { url, warning, siteShortLink }: ShortenTarget,
  origin: string,
  { isPrivate, isForForm = false, editedId, createsLink = false, domain }: StartOptions,
  caller: Pick<LinkCaller, 'refreshLink'>,
): Promise<{ first: Decision; links: LinkRecord[] }> {
  const links = await findCurrentLinks(origin, url, { isPrivate, domain }, caller);
  const existing = selectReusable(links, domain);
  if (existing) return { links, first: { step: 'showLink', link: existing } };
  // Whoever paused it may want to resume it: another link is a click away.
  const paused = isPrivate ? undefined : await findPlain(origin, url, ['inactive'], domain);
  if (paused) return { links, first: { step: 'showLink', link: paused } };
  if (siteShortLink && !isForForm) {
    return { links, first: { step: 'showLink', link: siteShortLink, isSiteOwn: true } };
  }
  if (warning) return { links, first: { step: 'confirmSecret' } };
  const isEdited = links.some(({ id }) => id === editedId);
  return { links, first: { step: createsLink && !isForForm && !isEdited ? 'createLink' : 'wait' } };
}

export type Shorten = ReturnType<typeof createShorten>;

/** Shortens URLs for all triggers and pages, which only present the outcome. */
export function createShorten(
  { create }: Pick<Queue, 'create'>,
  caller: Pick<LinkCaller, 'refreshLink'>,
  clientOf: (origin: string) => Client,
) {
  return async function shorten<S extends SiteLink = never>(
    { siteShortLink, request, title, ...about }: ShortenInput<S>,
    { serverOrigin: origin, warnAboutSecrets, sendTitles }: Settings,
    { reuseExisting = false, isFromForm = false, isSecretAccepted = false }: ShortenPolicy = {},
  ): Promise<ShortenOutcome<LinkRecord | S>> {
    const { originalUrl: url, domain = await chosenDomain(origin) } = request;
    const { isPrivate } = about;
    if (reuseExisting) {
      const links = await findCurrentLinks(origin, url, { isPrivate, domain }, caller);
      const existing = selectReusable(links, domain) ?? siteShortLink;
      if (existing) return { status: 'existing', result: toExisting(existing) };
      const paused = isPrivate ? undefined : await findPlain(origin, url, ['inactive'], domain);
      if (paused) return { status: 'paused', result: toExisting(paused) };
    }
    const warning = warnAboutSecrets && !isSecretAccepted ? findSecrets(url) : undefined;
    if (warning) return { status: 'needsConfirmation', warning };
    const label = sendTitles && !isFromForm ? fitLine(title ?? '', LABEL_MAX_CHARACTERS) : '';
    const result = await create({
      ...about,
      origin,
      request: {
        ...request,
        ...(domain !== undefined && { domain }),
        ...(label && { label }),
        // The account may have more links than are saved. A private window doesn't show those of others.
        ...(reuseExisting && !isPrivate && { reuse: true }),
      },
    });
    if (result.ok) return { status: result.data.isExisting ? 'existing' : 'created', result };
    // Removed since, or taken from the account.
    if (result.code === 'invalid_domain') await refreshDomains(origin, clientOf(origin));
    return { status: result.queued ? 'queued' : 'failed', result };
  };
}

function toExisting<L extends LinkRecord | SiteLink>(link: L): Success<CreatedLink<L>> {
  return { ok: true, data: { ...link, isExisting: true } };
}

/**
 * Finds the links of a URL, as `findLinks`. The one that would be reused is read from its server first, since it
 * may have been deleted or edited elsewhere; so is one that was paused or scheduled. Without a server that answers,
 * the list is believed.
 */
export async function findCurrentLinks(
  origin: string,
  url: string,
  { isPrivate, domain }: { isPrivate: boolean; domain?: string | undefined },
  { refreshLink }: Pick<LinkCaller, 'refreshLink'>,
): Promise<LinkRecord[]> {
  const confirmed = new Set<string>();
  for (;;) {
    const links = await findLinks(origin, url, isPrivate, Date.now());
    const existing =
      selectReusable(links, domain) ??
      (await findPlain(origin, url, ['inactive', 'scheduled'], domain));
    if (!existing || confirmed.has(existing.id)) return links;
    confirmed.add(existing.id);
    const { shortUrl } = existing;
    await refreshLink({ serverOrigin: origin, shortUrl });
  }
}
