import { stripTracking } from './strip-tracking.ts';

/** What a page says of its own address: nothing of it is known to be true. */
export type PageUrls = {
  /** From `<link rel=canonical>`; addresses are absolute. */
  canonical: string[];
  /** From `<meta property="og:url">`. */
  openGraph: string[];
  /** From `<link rel=shortlink>`. */
  shortlink: string[];
  /** The address that the document was loaded from. */
  loadedFrom: string;
};

export type CanonicalUrls = {
  /** The address to prefer to the tab's. */
  address?: string;
  /** A short link of the site's own, which is as good as one of ours. */
  shortLink?: string;
};

/** Short domains of sites that are known for them; on the left what the tab shows. */
const SHORT_DOMAINS: [site: string, short: string][] = [
  ['youtube.com', 'youtu.be'],
  ['flickr.com', 'flic.kr'],
  ['wordpress.com', 'wp.me'],
];

/**
 * What is believed of what a page says. It must name one address, on its own site, and still be
 * about what the tab shows: a page that went on without loading names the one before.
 *
 * Sources: RFC 6596 (canonical), the Open Graph protocol (`og:url`), the shortlink specification;
 * YouTube calls its own `shortlinkUrl`.
 */
export function select(tabUrl: string, says: PageUrls): CanonicalUrls {
  if (!URL.canParse(tabUrl) || !isAbout(tabUrl, says.loadedFrom)) return {};
  const tab = new URL(tabUrl);
  const canonical = only(says.canonical) ?? (says.canonical.length === 0 && only(says.openGraph));
  const shortLink = only(says.shortlink);
  return {
    ...(canonical && isOwn(canonical, tab) && { address: withFragment(canonical, tab) }),
    ...(shortLink && isOwnShort(shortLink, tab) && { shortLink }),
  };
}

function only(addresses: string[]): string | undefined {
  const [one, ...others] = new Set(addresses.filter((text) => text !== ''));
  return others.length === 0 ? one : undefined;
}

/** Apart from the fragment, and from tracking parameters, which pages like to take away. */
function isAbout(tabUrl: string, loadedFrom: string): boolean {
  const [tab, loaded] = [tabUrl, loadedFrom].map(
    (address) => stripTracking(address.replace(/#.*$/s, '')).address,
  );
  return tab === loaded;
}

function isOwn(address: string, tab: URL): boolean {
  const url = readWeb(address, tab);
  if (!url || url.href === tab.href || siteOf(url) !== siteOf(tab)) return false;
  // Many sites name their front page on every page of theirs.
  if (url.pathname === '/' && url.search === '' && tab.pathname !== '/') return false;
  // Here the fragment, which no canonical address has, is what says which page it is.
  return !/^#!?\//.test(tab.hash);
}

function isOwnShort(shortLink: string, tab: URL): boolean {
  const url = readWeb(shortLink, tab);
  if (!url || url.href.length >= tab.href.length || url.pathname + url.search === '/') return false;
  return (
    siteOf(url) === siteOf(tab) ||
    SHORT_DOMAINS.some(([site, short]) => url.host === short && isWithin(tab.hostname, site))
  );
}

/** A web address that is no step back: neither from https, nor with a password before the host. */
function readWeb(address: string, tab: URL): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && tab.protocol === 'http:');
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * The host without the labels that stand for another form of the same site, as `en.m.example.org`.
 * Not its registrable domain: that takes a list of 15,000 suffixes.
 */
function siteOf({ hostname, port, protocol }: URL): string {
  const labels = hostname.split('.');
  const ending = labels.splice(-2);
  const others = labels.filter((label) => !/^(www|m|mobile|amp)$/.test(label));
  return `${[...others, ...ending].join('.')}:${port || protocol.replace('http:', 'https:')}`;
}

function isWithin(hostname: string, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`);
}

/** What the reader points at in the page is kept. */
function withFragment(address: string, tab: URL): string {
  return address.includes('#') ? address : address + tab.hash;
}
