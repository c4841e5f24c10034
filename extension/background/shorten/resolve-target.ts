import { browser } from 'wxt/browser';
import { z } from 'zod';
import { ORIGINAL_URL_MAX_CHARACTERS } from '../../../shared/bounds.ts';
import { isTooLong, parseOriginalUrl } from '../../../shared/links/original-url.ts';
import { stripTracking } from '../../../shared/links/strip-tracking.ts';
import { unwrapUrl } from '../../../shared/links/unwrap-url.ts';
import { shownUrl } from '../../../shared/links/url-in-text.ts';
import { sleep, systemTime, type Time } from '../../../shared/time.ts';
import type {
  SecretWarning,
  Settings,
  ShortenTarget,
  UnsupportedReason,
} from '../../messaging/protocol.ts';
import { type CanonicalUrls, type PageUrls, selectCanonical } from '../../urls/canonical-url.ts';
import { findSecrets } from '../../urls/find-secrets.ts';

type ResolveOptions = {
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

const OF_EXTENSION = /^(chrome|moz|edge|safari-web)-extension:/i;
const WEB = /^https?:/i;

/**
 * Finds out without a call why a URL cannot be shortened; returns undefined if it can.
 *
 * @param url of the tab; browsers omit it on pages that the extension may not access
 * @param serverOrigin is not allowed as a target, since that would be a redirect loop
 */
export function findUnsupportedReason(
  url: string | undefined,
  serverOrigin: string,
): UnsupportedReason | undefined {
  if (!url) return 'page_without_url';
  if (OF_EXTENSION.test(url)) return 'page_of_extension';
  if (/^file:/i.test(url)) return 'page_is_file';
  if (!WEB.test(url)) return 'page_of_browser';
  if (isTooLong(url)) return 'page_url_too_long';
  if (!URL.canParse(url) || !parseOriginalUrl(url).ok) return 'page_url_invalid';
  if (new URL(url).host === new URL(serverOrigin).host) return 'page_is_short_domain';
  return undefined;
}

type TabToResolve = {
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
    ...(shortLink && {
      siteShortLink: { shortUrl: shortLink, originalUrl: preferred.url, title: '' },
    }),
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

/** If the page takes longer, the tab's URL is used. */
const ANSWER_TIMEOUT_MS = 300;
/**
 * On a busy machine, Chromium may run the script before the page's process knows of the permission
 * that the click granted, and reports that the permission is missing.
 */
const RETRY_AFTER_MS = 50;
const MAX_TRIES = ANSWER_TIMEOUT_MS / RETRY_AFTER_MS;

const urlsSchema = z.array(z.string().max(ORIGINAL_URL_MAX_CHARACTERS)).max(4);
const pageUrlsSchema: z.ZodType<PageUrls> = z.object({
  canonical: urlsSchema,
  openGraph: urlsSchema,
  shortlink: urlsSchema,
  loadedFrom: z.string().min(1).max(ORIGINAL_URL_MAX_CHARACTERS),
});

/**
 * Reads the canonical URL of a tab's page, after the user invoked the extension on it. Returns
 * undefined if the page doesn't tell: if the browser forbids scripts, as in its own pages and its PDF
 * viewer, or if the page does not respond in time. Only the text of the browser's error would tell
 * which it is, so the user is told of each.
 */
export async function readCanonicalUrl(
  tabId: number,
  tabUrl: string,
  time = systemTime,
): Promise<CanonicalUrls | undefined> {
  const tooLate = sleep(time, ANSWER_TIMEOUT_MS).then(() => undefined);
  const frames = await Promise.race([runReadHead(tabId, time), tooLate]);
  const parsed = pageUrlsSchema.safeParse(frames?.[0]?.result);
  return parsed.success ? selectCanonical(tabUrl, parsed.data) : undefined;
}

async function runReadHead(tabId: number, time: Time) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await browser.scripting.executeScript({ target: { tabId }, func: readHead });
    } catch {
      if (tries === MAX_TRIES) return undefined;
      await sleep(time, RETRY_AFTER_MS);
    }
  }
}

/** Runs in the page, so it cannot use anything outside of this function. */
function readHead(): PageUrls {
  const MAX_PER_KIND = 4;
  const linked = (selector: string) =>
    [...document.querySelectorAll<HTMLLinkElement>(selector)]
      .slice(0, MAX_PER_KIND)
      .map(({ href }) => href);
  return {
    canonical: linked('link[rel~="canonical" i]'),
    openGraph: [...document.querySelectorAll<HTMLMetaElement>('meta[property="og:url" i]')]
      .slice(0, MAX_PER_KIND)
      .map(({ content }) => content),
    shortlink: linked('link[rel~="shortlink" i], link[rel="shortlinkUrl"]'),
    loadedFrom: performance.getEntriesByType('navigation')[0]?.name ?? '',
  };
}
