import { parseOriginalUrl } from './original-url.ts';
import { parametersOf, splitUrl } from './query-parameters.ts';

/** Without the way back if the URL is no wrapper. */
export type Unwrapped = { url: string; host?: string };

type Wrapper = {
  /** The site, with its subdomains. */
  sites: string[];
  path?: RegExp;
  /** The parameters that may have the URL. */
  names: string[];
};

/**
 * Links that lead to the URL in one of their parameters, and do nothing else but warn, scan or count. The tokens
 * around it often contain the address of the reader.
 *
 * Sources: the links that these services create, and their documentation for decoding them.
 */
const WRAPPERS: Wrapper[] = [
  // Mail filters: Microsoft, Barracuda, Symantec, Trellix (FireEye), Trend Micro, Vade, AppRiver, Mimecast
  {
    sites: ['safelinks.protection.outlook.com', 'safelinks.protection.office365.us'],
    names: ['url'],
  },
  { sites: ['statics.teams.cdn.office.net', 'statics.teams.microsoft.com'], names: ['url'] },
  { sites: ['linkprotect.cudasvc.com'], names: ['a'] },
  { sites: ['clicktime.symantec.com'], names: ['u'] },
  { sites: ['fireeye.com', 'trellix.com'], path: /^\/v1\/url/, names: ['u'] },
  { sites: ['ctp.trendmicro.com'], names: ['url'] },
  { sites: ['link.edgepilot.com', 'urlsand.esvalabs.com', 'urlsand.com'], names: ['u'] },
  { sites: ['mimecast.com', 'mimecastprotect.com'], names: ['url', 'u'] },
  // Sites
  { sites: ['facebook.com', 'messenger.com', 'workplace.com'], path: /^\/l\.php$/, names: ['u'] },
  { sites: ['l.instagram.com', 'l.threads.com', 'l.threads.net', 'l.wl.co'], names: ['u'] },
  { sites: ['youtube.com'], path: /^\/redirect$/, names: ['q'] },
  { sites: ['consent.youtube.com', 'consent.google.com'], names: ['continue'] },
  { sites: ['linkedin.com'], path: /^\/(redir\/redirect|safety\/go)/, names: ['url'] },
  { sites: ['out.reddit.com', 'slack-redir.net', 'exit.sc', 'gate.sc'], names: ['url'] },
  { sites: ['t.umblr.com'], names: ['z'] },
  { sites: ['steamcommunity.com'], path: /^\/linkfilter/, names: ['u', 'url'] },
  { sites: ['vk.com'], path: /^\/away\.php$/, names: ['to'] },
  { sites: ['duckduckgo.com'], path: /^\/l\/$/, names: ['uddg'] },
  { sites: ['link.zhihu.com', 'link.csdn.net', 'link.juejin.cn'], names: ['target'] },
];
/** `www.google.de`, `google.co.uk`. */
const GOOGLE = /^(www\.)?google\.([a-z]{2,3}|com?\.[a-z]{2})$/;
/** Wrapped links are wrapped again, when they are forwarded. */
const LAYERS_MAX = 5;

/** Returns the URL that a link wraps, as far as it can be read from the link. */
export function unwrapUrl(url: string): Unwrapped {
  let unwrapped: Unwrapped = { url };
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    const inner = innerUrl(unwrapped.url);
    if (inner === undefined) break;
    unwrapped = { url: inner, host: unwrapped.host ?? new URL(url).hostname };
  }
  return unwrapped;
}

function innerUrl(url: string): string | undefined {
  const { hostname, pathname } = URL.parse(url) ?? {};
  if (hostname === undefined || pathname === undefined) return undefined;
  const { path, query = '' } = splitUrl(url);
  const parameters = parametersOf(query);
  const parameter = (names: string[]) =>
    parameters.find(({ name, value }) => names.includes(name) && value !== '')?.value;
  const proofpoint = readProofpoint(hostname, url, parameter);
  if (proofpoint !== undefined) return toWebUrl(proofpoint);
  if (GOOGLE.test(hostname) && pathname === '/url') return toWebUrl(parameter(['q', 'url']));
  if (isOn(hostname, 'secure-web.cisco.com')) return toWebUrl(decode(path.split('/').at(-1)));
  if (isOn(hostname, 'protection.sophos.com')) return toWebUrl(fromBase64(parameter(['u'])));
  if (isOn(hostname, 'bing.com') && pathname === '/ck/a') {
    // The parameter begins with its version.
    return toWebUrl(fromBase64(parameter(['u'])?.replace(/^a1/, '')));
  }
  if (isOn(hostname, 'protect.checkpoint.com')) return toWebUrl(/___(.*?)___/.exec(url)?.[1]);
  const wrapper = WRAPPERS.find(
    ({ sites, path: at }) =>
      sites.some((site) => isOn(hostname, site)) && (at?.test(pathname) ?? true),
  );
  return wrapper && toWebUrl(parameter(wrapper.names));
}

/** Proofpoint's URL Defense, versions 1 to 3. */
function readProofpoint(
  hostname: string,
  url: string,
  parameter: (names: string[]) => string | undefined,
): string | undefined {
  if (isOn(hostname, 'urldefense.proofpoint.com')) {
    const written = parameter(['u']);
    if (!/^https?:\/\/[^/]+\/v2\//i.test(url)) return written;
    return decode(written?.replaceAll('-', '%').replaceAll('_', '/'));
  }
  if (!isOn(hostname, 'urldefense.com') && !isOn(hostname, 'urldefense.us')) return undefined;
  const start = url.indexOf('/v3/__');
  const end = url.indexOf('__;', start);
  if (start === -1 || end === -1) return undefined;
  const written = url.slice(start + '/v3/__'.length, end);
  const replaced = fromBase64(url.slice(end + '__;'.length).replace(/!.*$/s, ''));
  return replaced === undefined ? undefined : restore(written, replaced);
}

const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** In place of characters, version 3 has `*`, or `**` and a letter for a number of them. */
function restore(written: string, replaced: string): string {
  const characters = [...replaced];
  // One slash of the protocol is lost on some servers.
  return written
    .replace(/^(https?:\/)(?=[^/])/i, '$1/')
    .replace(/\*(?:\*([\w-]))?/g, (_, length?: string) =>
      characters.splice(0, length ? RUN_LENGTHS.indexOf(length) + 2 : 1).join(''),
    );
}

function isOn(hostname: string, site: string): boolean {
  return hostname === site || hostname.endsWith(`.${site}`);
}

function toWebUrl(text: string | undefined): string | undefined {
  if (text === undefined || !/^https?:\/\//i.test(text)) return undefined;
  const parsed = parseOriginalUrl(text);
  return parsed.ok ? parsed.originalUrl : undefined;
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Decodes Base64 of text in UTF-8, also with the alphabet for URLs, and without its padding. */
function fromBase64(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', ''));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
