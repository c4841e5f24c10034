import type { Client } from '../../../shared/client.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import type { LinkSummary } from '../../links/link.ts';
import type {
  Failure,
  FirstStep,
  Settings,
  ShortenResult,
  ShortenTarget,
} from '../../messaging/protocol.ts';
import { type FoundSecrets, findSecrets } from '../../urls/find-secrets.ts';
import type { ManageLinks } from '../account/manage-links.ts';
import { findPlain, selectReusable } from '../links/saved-links.ts';
import type { Queue } from '../queue/queue.ts';
import { chosenDomain, refreshDomains } from '../server/domains.ts';
import { findCurrentLinks, findOlderLink } from './find-current-links.ts';

export type ShortenInput = {
  request: ShortenRequest;
  isPrivate: boolean;
  /** Title to use when the link is copied. It is not sent to the server. */
  title: string | undefined;
  /** The site's own short link, which is as good as a new one. */
  siteShortLink?: LinkSummary | undefined;
  /** Identifies the message, which may be repeated if its response gets lost. */
  requestId?: string | undefined;
};

export type ShortenPolicy = {
  /** Returns an existing plain link instead of creating another. @default false */
  reuseExisting?: boolean | undefined;
  /** Whether the user confirmed the secret in the URL. @default false */
  isSecretAccepted?: boolean | undefined;
};

export type ShortenOutcome =
  | { status: 'existing'; result: Success }
  /** Nothing was sent: there is a link that the user paused, and may want to resume. */
  | { status: 'paused'; result: Success }
  | { status: 'created'; result: Success }
  /** Nothing was sent: the URL seems to contain a secret. */
  | { status: 'needsConfirmation'; warning: FoundSecrets }
  | { status: 'queued'; result: Failure }
  | { status: 'failed'; result: Failure };
type Success = Extract<ShortenResult, { ok: true }>;

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
  manage: Pick<ManageLinks, 'refreshLink'>,
): Promise<{ first: Decision; links: LinkSummary[] }> {
  const links = await findCurrentLinks(origin, url, { isPrivate, domain }, manage);
  const existing = selectReusable(links, domain);
  if (existing) return { links, first: { step: 'showLink', link: existing } };
  // Whoever paused it may want to resume it: another link is a click away.
  const paused = isPrivate ? undefined : await findPlain(origin, url, ['inactive'], domain);
  if (paused) return { links, first: { step: 'showLink', link: paused } };
  if (siteShortLink && !isForForm) {
    return { links, first: { step: 'showLink', link: siteShortLink, isSiteOwn: true } };
  }
  if (warning) return { links, first: { step: 'confirmSecret' } };
  const isEdited = links.some(({ serverState }) => serverState && serverState.id === editedId);
  return { links, first: { step: createsLink && !isForForm && !isEdited ? 'createLink' : 'wait' } };
}

export type Shorten = ReturnType<typeof createShorten>;

/** Shortens URLs for all triggers and pages, which only present the outcome. */
export function createShorten(
  { create }: Pick<Queue, 'create'>,
  manage: Pick<ManageLinks, 'refreshLink' | 'findLinksOnServer'>,
  clientOf: (origin: string) => Client,
) {
  return async function shorten(
    { siteShortLink, request, ...about }: ShortenInput,
    { serverOrigin: origin, warnAboutSecrets }: Settings,
    { reuseExisting = false, isSecretAccepted = false }: ShortenPolicy = {},
  ): Promise<ShortenOutcome> {
    const { originalUrl: url, domain = await chosenDomain(origin) } = request;
    const { isPrivate } = about;
    if (reuseExisting) {
      const links = await findCurrentLinks(origin, url, { isPrivate, domain }, manage);
      const existing = selectReusable(links, domain) ?? siteShortLink;
      if (existing)
        return { status: 'existing', result: { ok: true, data: existing, isExisting: true } };
      const paused = isPrivate ? undefined : await findPlain(origin, url, ['inactive'], domain);
      if (paused) return { status: 'paused', result: { ok: true, data: paused, isExisting: true } };
    }
    const warning = warnAboutSecrets && !isSecretAccepted ? findSecrets(url) : undefined;
    if (warning) return { status: 'needsConfirmation', warning };
    if (reuseExisting && !isPrivate) {
      const older = await findOlderLink(origin, url, domain, manage);
      if (older) return { status: 'existing', result: { ok: true, data: older, isExisting: true } };
    }
    const named = domain === undefined ? request : { ...request, domain };
    const result = await create({ ...about, request: named, origin, reuseExisting });
    if (result.ok) return { status: 'created', result };
    // Removed since, or taken from the account.
    if (result.code === 'invalid_domain') await refreshDomains(origin, clientOf(origin));
    return { status: result.queued ? 'queued' : 'failed', result };
  };
}
