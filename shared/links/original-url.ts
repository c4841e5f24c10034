import { ORIGINAL_URL_MAX_CHARACTERS, TARGET_URL_MAX_CHARACTERS } from '../bounds.ts';
import { trimText } from '../text.ts';
import { isWebScheme, schemeOf, UNSAFE_SCHEMES } from './schemes.ts';

/** The normalized URL and its parsed form, or a sentence that explains why it cannot be shortened. */
export type OriginalUrlResult =
  | { ok: true; originalUrl: string; url: URL }
  | { ok: false; reason: string };

/** Also with slips that leave one meaning, before a host: `https//`, `https:/`, `https:\\`, `ttps://`, `https：//`. */
const PROTOCOL =
  /^(?:https?:\/\/|h?ttp(s?)(?:[:;：]{1,2}[/\\／]{0,2}|[/\\／]{2})(?=[^/\\:;：／@]|$))/i;
const WEB_PROTOCOL = /^https?:\/\//i;
/** `example.com:8080/x` and `localhost:3000` look as if they had a protocol, but they do not. */
const HOST_AND_PORT = /^[^/?#:@]+:\d{1,5}(?=[/?#]|$)/;
const DOTTED_QUAD = /^\d{1,3}(\.\d{1,3}){3}$/;
const TOP_LEVEL_LABEL = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
/** In ASCII. URL parsers accept others, such as commas, which no name has. */
const HOST_NAME = /^([a-z\d._-]+|\[[\da-f:.]+\])$/;
const HOST_MAX_CHARACTERS = 253;
const LABEL_MAX_CHARACTERS = 63;
/**
 * Before parsing, so that percent-encoded hosts fit. Parsing an international host takes quadratic
 * time, so a longer one is rejected without parsing it.
 */
const AUTHORITY_MAX_CHARACTERS = 512;

/**
 * Validates a URL to shorten. Trims it, prepends `https://` if it has no protocol, and repairs a protocol with a
 * slip, but changes nothing else.
 *
 * @param input at most 8,192 UTF-16 code units once trimmed, and 15 KiB once serialized
 * @see docs/api.md, "Create links"
 */
export function parseOriginalUrl(input: string): OriginalUrlResult {
  const text = trimText(input);
  const problem = findProblem(text);
  if (problem !== undefined) return invalid(problem);

  const { protocol, rest } = splitProtocol(text);
  const hasProtocol = WEB_PROTOCOL.test(text) && rest.length === text.length - protocol.length;
  if (protocol === '' && !HOST_AND_PORT.test(text)) {
    const scheme = schemeOf(text);
    if (scheme) return invalid(notAllowed(text.slice(0, scheme.length)));
  }
  const originalUrl = protocol === '' ? `https://${rest.replace(/^\/\//, '')}` : protocol + rest;

  const authority = /^[^:]+:\/\/([^/?#\\]*)/.exec(originalUrl)?.[1] ?? '';
  if (authority === '') return invalid('The URL has no host.');
  if (authority.includes('@')) {
    return invalid(HAS_CREDENTIALS);
  }
  if (authority.length > AUTHORITY_MAX_CHARACTERS) return invalid(HOST_TOO_LONG);
  const url = URL.parse(originalUrl);
  // Chromium escapes a space in a host (`exa%20mple.com`), where the URL Standard reports an error.
  if (!url || url.hostname.includes('%')) return invalid('This is not a valid URL.');
  if (url.href.length > TARGET_URL_MAX_CHARACTERS) return invalid(ENCODED_TOO_LONG);
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname.length > HOST_MAX_CHARACTERS) return invalid(HOST_TOO_LONG);
  const labels = hostname.split('.');
  if (labels.includes('')) return invalid('The host name has an empty part.');
  if (labels.some((label) => label.length > LABEL_MAX_CHARACTERS)) {
    return invalid(
      `A part of the host name is longer than ${LABEL_MAX_CHARACTERS} characters, which DNS does not allow.`,
    );
  }
  if (!HOST_NAME.test(hostname) || isWebScheme(hostname)) {
    return invalid(`"${authority}" is not a host name. Check what comes before and after it.`);
  }
  if (!hasProtocol && !isPlausibleHost(hostname, authority)) {
    return invalid(
      `"${authority}" does not look like a web address. If it is one, add https:// in front.`,
    );
  }
  return { ok: true, originalUrl, url };
}

/**
 * Validates the target of a link. Other schemes than http and https pass, too, unless browsers run them as
 * code: a server decides which ones it allows.
 */
export function parseTarget(input: string): OriginalUrlResult {
  const text = trimText(input);
  if (!hasOtherScheme(text)) return parseOriginalUrl(text);
  const problem = findProblem(text);
  if (problem !== undefined) return invalid(problem);
  // `tel:+41 44` keeps its space, which a header should not have.
  const url = URL.parse(text.replaceAll(' ', '%20'));
  // An escaped host would not be found among blocked ones.
  if (!url || text.endsWith(':') || url.hostname.includes('%')) {
    return invalid('This is not a valid URL.');
  }
  if (url.username || url.password) return invalid(HAS_CREDENTIALS);
  if (url.href.length > TARGET_URL_MAX_CHARACTERS) return invalid(ENCODED_TOO_LONG);
  return { ok: true, originalUrl: text, url };
}

/** Says why a URL with this scheme is no target. */
export function notAllowed(scheme: string): string {
  return `Only http:// and https:// URLs can be shortened, not "${scheme}:".`;
}

/** Whether a URL exceeds the maximum length, as written or percent-encoded. */
export function isTooLong(url: string): boolean {
  if (url.length > ORIGINAL_URL_MAX_CHARACTERS) return true;
  return (URL.parse(url)?.href.length ?? 0) > TARGET_URL_MAX_CHARACTERS;
}

/** Whether it contains a character that nobody sees, and that no URL should have unless percent-encoded. */
export function hasInvisible(url: string): boolean {
  return INVISIBLE.test(url);
}

/**
 * The last of the protocols at the beginning: an address bar adds one to `https://…`. As written if it is right,
 * empty if there is none.
 */
function splitProtocol(text: string): { protocol: string; rest: string } {
  let protocol = '';
  let rest = text;
  for (;;) {
    const [written, secure] = PROTOCOL.exec(rest) ?? [];
    if (written === undefined) return { protocol, rest };
    const isRight = WEB_PROTOCOL.test(written);
    protocol = isRight ? written : `http${secure ?? ''}://`.toLowerCase();
    rest = rest.slice(written.length);
  }
}

/** Not for `example.com:8080`. */
function hasOtherScheme(text: string): boolean {
  const scheme = schemeOf(text);
  if (scheme === undefined || isWebScheme(scheme) || UNSAFE_SCHEMES.includes(scheme)) return false;
  if (PROTOCOL.test(text) || DEFANGED.test(text)) return false;
  const [authority] = HOST_AND_PORT.exec(text) ?? [];
  return authority === undefined || !isPlausibleHost(scheme, authority);
}

function findProblem(text: string): string | undefined {
  if (text === '') return 'The URL is empty.';
  if (text.length > ORIGINAL_URL_MAX_CHARACTERS) {
    return `The URL is longer than ${ORIGINAL_URL_MAX_CHARACTERS} characters.`;
  }
  // URL parsers silently remove tabs and line breaks, so the link would not match the text.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
    return 'The URL contains control characters or invalid Unicode. Remove them.';
  }
  const [invisible] = INVISIBLE.exec(text) ?? [];
  if (invisible !== undefined) {
    const name = INVISIBLE_NAMES.get(invisible) ?? 'invisible character';
    const code = invisible.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `The URL contains a character that nobody sees: ${name} (U+${code}). Remove it.`;
  }
  if (SECOND_URL.test(text)) return 'This is more than one URL. Shorten one at a time.';
  const [, address] = IPV6_WITHOUT_BRACKETS.exec(text) ?? [];
  if (address !== undefined && URL.canParse(`http://[${address}]`)) {
    return 'An IPv6 address in a URL needs brackets, such as https://[2001:db8::1]:8080/.';
  }
  if (DEFANGED.test(text)) {
    return 'The URL begins with "hxxp", which marks dangerous URLs. Write http if you trust it.';
  }
  return undefined;
}

/** Invisible characters, except U+200C and U+200D, which join letters and emoji. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
const INVISIBLE_NAMES = new Map([
  ['\u00ad', 'soft hyphen'],
  ['\u200b', 'zero width space'],
  ['\u2060', 'word joiner'],
  ['\ufeff', 'byte order mark'],
  ...[...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'].map(
    (mark) => [mark, 'direction mark'] as const,
  ),
]);
/** A query may list URLs, and a path may end in one after a slash. */
const SECOND_URL = /\shttps?:\/\/|^[^?#]*[,;|]https?:\/\//i;
/** Without the check, `fe80::1` would be a URL with the scheme `fe80:`. */
const IPV6_WITHOUT_BRACKETS = /^(?:https?:\/\/)?([\da-f]{0,4}:[\da-f:.]{1,43})(?=[%/?#]|$)/i;
/** As reports about malware write URLs. */
const DEFANGED = /^hxxps?[:[]/i;

const HAS_CREDENTIALS = 'The URL contains a username or password. Remove it.';
const ENCODED_TOO_LONG = `The URL is longer than ${TARGET_URL_MAX_CHARACTERS} characters after percent-encoding.`;
const HOST_TOO_LONG = `The host name is longer than ${HOST_MAX_CHARACTERS} characters, which DNS does not allow.`;

/** Without a protocol, a single word is more likely a typo than an intranet host. */
function isPlausibleHost(hostname: string, authority: string): boolean {
  if (hostname === 'localhost' || hostname.startsWith('[')) return true;
  // URL parsers read `12345`, `1.2` and `010.1.1.1` as different IPv4 addresses.
  if (DOTTED_QUAD.test(hostname)) return authority.replace(/:\d*$/, '') === hostname;
  const labels = hostname.split('.');
  return labels.length > 1 && TOP_LEVEL_LABEL.test(labels.at(-1) ?? '');
}

function invalid(reason: string): OriginalUrlResult {
  return { ok: false, reason };
}
