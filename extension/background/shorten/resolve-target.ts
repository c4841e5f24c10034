import { findSecrets } from '../../address/find-secrets.ts';
import { stripTracking } from '../../address/strip-tracking.ts';
import { findUnsupportedReason, type UnsupportedReason } from '../../address/unsupported-page.ts';
import type { LinkSummary } from '../../links/link.ts';
import type { SecretWarning, Settings, ShortenTarget } from '../../messaging/protocol.ts';
import { readCanonicalUrl } from './read-page-urls.ts';

export type PlanOptions = {
  /** The user wants the address as it is, whatever the settings say. @default false */
  keepTracking?: boolean | undefined;
};

/**
 * What a link of an address is to lead to, by the settings, or why there can be none. An address
 * that is refused for its secret alone, as one with a password before the host, is planned with a
 * warning: it can be shortened without it.
 */
export function resolveUrl(
  fullUrl: string | undefined,
  settings: Settings,
  { keepTracking = false }: PlanOptions = {},
): ShortenTarget | { failure: UnsupportedReason } {
  if (!fullUrl) return { failure: 'page_without_address' };
  const { address, names } =
    settings.stripTracking && !keepTracking
      ? stripTracking(fullUrl)
      : { address: fullUrl, names: [] };
  const failure = findUnsupportedReason(address, settings.serverOrigin);
  const warning = settings.warnAboutSecrets ? warningOf(address, settings, failure) : undefined;
  if (failure && !warning) return { failure };
  return { address, fullUrl, removed: names, ...(warning && { warning }) };
}

/** The same for the page of a tab, which may name an address or a short link of its own. */
export async function resolvePage(
  tabUrl: string | undefined,
  tabId: number | undefined,
  settings: Settings,
): Promise<ShortenTarget | { failure: UnsupportedReason }> {
  const plan = resolveUrl(tabUrl, settings);
  if (!tabUrl || 'failure' in plan || tabId === undefined || !settings.preferCanonical) {
    return plan;
  }
  const { address, shortLink } = await readCanonicalUrl(tabId, tabUrl);
  const own = address === undefined ? plan : resolveUrl(address, settings);
  const used = 'failure' in own ? plan : own;
  return {
    ...used,
    ...(used.address !== plan.address && { tabUrl }),
    ...(shortLink && { siteShortLink: toSiteShortLink(shortLink, used.address) }),
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
    waitTimerSeconds: 0,
  };
}

function warningOf(
  address: string,
  { serverOrigin }: Settings,
  failure: UnsupportedReason | undefined,
): SecretWarning | undefined {
  const found = findSecrets(address);
  if (!found) return undefined;
  if (!failure) return { ...found, mustRemove: false };
  const canGo = found.without !== undefined && !findUnsupportedReason(found.without, serverOrigin);
  return canGo ? { ...found, mustRemove: true } : undefined;
}
