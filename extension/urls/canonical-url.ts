import { stripTracking } from '../../shared/links/strip-tracking.ts';

/** The URLs that a page declares for itself. They are untrusted. */
export type PageUrls = {
  /** From `<link rel=canonical>`; URLs are absolute. */
  canonical: string[];
  /** From `<meta property="og:url">`. */
  openGraph: string[];
  /** From `<link rel=shortlink>`. */
  shortlink: string[];
  /** The URL from which the document was loaded. */
  loadedFrom: string;
};

export type CanonicalUrls = {
  /** The URL to use instead of the tab's. */
  url?: string;
  /** The site's own short link for the page. */
  shortLink?: string;
};

/** Sites with a well-known short domain. */
const SHORT_DOMAINS: [site: string, short: string][] = [
  ['youtube.com', 'youtu.be'],
  ['flickr.com', 'flic.kr'],
  ['wordpress.com', 'wp.me'],
];

/**
 * Selects the trustworthy URLs of a page. Each must be the only one of its kind, on the same site, and
 * the document must still be the one that the tab shows: a single-page app may have navigated since.
 *
 * Sources: RFC 6596 (canonical), the Open Graph protocol (`og:url`), the shortlink specification;
 * YouTube calls its own `shortlinkUrl`.
 */
export function selectCanonical(tabUrl: string, urls: PageUrls): CanonicalUrls {
  if (!URL.canParse(tabUrl) || !isSameDocument(tabUrl, urls.loadedFrom)) return {};
  const tab = new URL(tabUrl);
  const canonical = only(urls.canonical) ?? (urls.canonical.length === 0 && only(urls.openGraph));
  const shortLink = only(urls.shortlink);
  return {
    ...(canonical && isSameSite(canonical, tab) && { url: withFragment(canonical, tab) }),
    ...(shortLink && isSiteShortLink(shortLink, tab) && { shortLink }),
  };
}

function only(urls: string[]): string | undefined {
  const [one, ...others] = new Set(urls.filter((text) => text !== ''));
  return others.length === 0 ? one : undefined;
}

/** Ignores the fragment, and tracking parameters, which pages often remove from the URL. */
function isSameDocument(tabUrl: string, loadedFrom: string): boolean {
  const [tab, loaded] = [tabUrl, loadedFrom].map(
    (url) => stripTracking(url.replace(/#.*$/s, '')).url,
  );
  return tab === loaded;
}

function isSameSite(text: string, tab: URL): boolean {
  const url = parseSafe(text, tab);
  if (!url || url.href === tab.href || siteOf(url) !== siteOf(tab)) return false;
  // Many sites declare their home page as canonical on every page.
  if (url.pathname === '/' && url.search === '' && tab.pathname !== '/') return false;
  // With hash routing the fragment identifies the page, and canonical URLs have none.
  return !/^#!?\//.test(tab.hash);
}

function isSiteShortLink(shortLink: string, tab: URL): boolean {
  const url = parseSafe(shortLink, tab);
  if (!url || url.href.length >= tab.href.length || url.pathname + url.search === '/') return false;
  return (
    siteOf(url) === siteOf(tab) ||
    SHORT_DOMAINS.some(([site, short]) => url.host === short && isWithin(tab.hostname, site))
  );
}

/** Parses a web URL without credentials, and without a downgrade from HTTPS. */
function parseSafe(text: string, tab: URL): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && tab.protocol === 'http:');
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * The host without labels for variants of the same site, as in `en.m.example.org`. Not the registrable
 * domain, which needs the list of 15,000 public suffixes.
 */
function siteOf({ hostname, port, protocol }: URL): string {
  const labels = hostname.split('.');
  const domain = labels.splice(-2);
  const others = labels.filter((label) => !/^(www|m|mobile|amp)$/.test(label));
  return `${[...others, ...domain].join('.')}:${port || protocol.replace('http:', 'https:')}`;
}

function isWithin(hostname: string, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`);
}

/** Keeps the tab's fragment, which points to a part of the page. */
function withFragment(url: string, tab: URL): string {
  return url.includes('#') ? url : url + tab.hash;
}
