import { shownUrl } from '../../../shared/links/url-in-text.ts';
import type { LinkSummary } from '../../links/link.ts';
import type { SecretWarning, Settings, ShortenTarget } from '../../messaging/protocol.ts';
import { findSecrets } from '../../urls/find-secrets.ts';
import { stripTracking } from '../../urls/strip-tracking.ts';
import { findUnsupportedReason, type UnsupportedReason } from '../../urls/unsupported-page.ts';
import { unwrapUrl } from '../../urls/unwrap-url.ts';
import { readCanonicalUrl } from './read-page-urls.ts';

export type ResolveOptions = {
  /** Leaves tracking parameters and wrapped links as they are, whatever the settings say. @default false */
  keepTracking?: boolean | undefined;
};

/**
 * Resolves a URL to the one to shorten, or to the reason why it cannot be shortened. A URL that is
 * invalid because of its secret only, such as a password before the host, gets a warning instead: it
 * can be shortened without the secret.
 */
export function resolveUrl(
  found: string | undefined,
  settings: Settings,
  { keepTracking = false }: ResolveOptions = {},
): ShortenTarget | { failure: UnsupportedReason } {
  if (!found) return { failure: 'page_without_url' };
  const fullUrl = shownUrl(found);
  const isClean = settings.stripTracking && !keepTracking;
  const { url: inner, host: unwrappedFrom } = isClean ? unwrapUrl(fullUrl) : { url: fullUrl };
  const { url, names } = isClean ? stripTracking(inner) : { url: inner, names: [] };
  const failure = findUnsupportedReason(url, settings.serverOrigin);
  const warning = settings.warnAboutSecrets ? findWarning(url, settings, failure) : undefined;
  if (failure && !warning) return { failure };
  return {
    url,
    fullUrl,
    removed: names,
    ...(unwrappedFrom && { unwrappedFrom }),
    ...(warning && { warning }),
  };
}

export type TabToResolve = {
  url: string | undefined;
  tabId: number | undefined;
  isLoading?: boolean | undefined;
};

/** What browsers show in a tab whose first page is still on its way. */
const BEFORE_FIRST_PAGE = new Set<UnsupportedReason>(['page_without_url', 'page_of_browser']);

/** Resolves the page of a tab, which may have a canonical URL or a short link of its own. */
export async function resolvePage(
  { url: tabUrl, tabId, isLoading = false }: TabToResolve,
  settings: Settings,
): Promise<ShortenTarget | { failure: UnsupportedReason }> {
  const target = resolveUrl(tabUrl, settings);
  if ('failure' in target && isLoading && BEFORE_FIRST_PAGE.has(target.failure)) {
    return { failure: 'page_is_loading' };
  }
  if (!tabUrl || 'failure' in target || tabId === undefined || !settings.preferCanonical) {
    return target;
  }
  const urls = await readCanonicalUrl(tabId, tabUrl);
  if (!urls) return { ...target, canonicalUnread: true };
  const { url, shortLink } = urls;
  const canonical = url === undefined ? target : resolveUrl(url, settings);
  const preferred = 'failure' in canonical ? target : canonical;
  return {
    ...preferred,
    ...(preferred.url !== target.url && { tabUrl }),
    ...(shortLink && { siteShortLink: toSiteShortLink(shortLink, preferred.url) }),
  };
}

function toSiteShortLink(shortUrl: string, originalUrl: string): LinkSummary {
  return {
    shortUrl,
    originalUrl,
    title: '',
    created: new Date().toISOString(),
    expiresAt: null,
    hasPassword: false,
    waitTimer: 0,
  };
}

function findWarning(
  url: string,
  { serverOrigin }: Settings,
  failure: UnsupportedReason | undefined,
): SecretWarning | undefined {
  const found = findSecrets(url);
  if (!found) return undefined;
  if (!failure) return { ...found, mustRemove: false };
  const canRemove =
    found.without !== undefined && !findUnsupportedReason(found.without, serverOrigin);
  return canRemove ? { ...found, mustRemove: true } : undefined;
}
