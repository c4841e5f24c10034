import { ORIGINAL_URL_MAX_CHARACTERS, TARGET_URL_MAX_CHARACTERS } from '../limits.ts';
import { isWebScheme, schemeOf, UNSAFE_SCHEMES } from './schemes.ts';

/** The normalized URL and its parsed form, or a sentence that explains why it cannot be shortened. */
export type OriginalUrlResult =
  | { ok: true; originalUrl: string; url: URL }
  | { ok: false; reason: string };

const WEB_PROTOCOL = /^https?:\/\//i;
/** `example.com:8080/x` and `localhost:3000` look as if they had a protocol, but they do not. */
const HOST_AND_PORT = /^[^/?#:@]+:\d{1,5}(?=[/?#]|$)/;
const DOTTED_QUAD = /^\d{1,3}(\.\d{1,3}){3}$/;
const TOP_LEVEL_LABEL = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const HOST_MAX_CHARACTERS = 253;
const LABEL_MAX_CHARACTERS = 63;
/**
 * Before parsing, so that percent-encoded hosts fit. Parsing an international host takes quadratic
 * time, so a longer one is rejected without parsing it.
 */
const AUTHORITY_MAX_CHARACTERS = 512;

/**
 * Validates a URL to shorten. Trims it and prepends `https://` if it has no protocol, but changes
 * nothing else.
 *
 * @param input at most 8,192 UTF-16 code units once trimmed, and 15 KiB once serialized
 * @see docs/api.md, "Create links"
 */
export function parseOriginalUrl(input: string): OriginalUrlResult {
  const text = input.trim();
  const problem = findProblem(text);
  if (problem !== undefined) return invalid(problem);

  const hasProtocol = WEB_PROTOCOL.test(text);
  if (!hasProtocol && !HOST_AND_PORT.test(text)) {
    const scheme = schemeOf(text);
    if (scheme) return invalid(notAllowed(text.slice(0, scheme.length)));
  }
  const originalUrl = hasProtocol ? text : `https://${text.replace(/^\/\//, '')}`;

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
  const text = input.trim();
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

/** Why a URL with this scheme is no target. */
export function notAllowed(scheme: string): string {
  return `Only http:// and https:// URLs can be shortened, not "${scheme}:".`;
}

/** Not for `example.com:8080`. */
function hasOtherScheme(text: string): boolean {
  const scheme = schemeOf(text);
  if (scheme === undefined || isWebScheme(scheme) || UNSAFE_SCHEMES.includes(scheme)) return false;
  const [authority] = HOST_AND_PORT.exec(text) ?? [];
  return authority === undefined || !isPlausibleHost(scheme, authority);
}

function findProblem(text: string): string | undefined {
  if (text === '') return 'The URL is empty.';
  if (text.length > ORIGINAL_URL_MAX_CHARACTERS) {
    return `The URL is longer than ${ORIGINAL_URL_MAX_CHARACTERS} characters.`;
  }
  // URL parsers silently remove tabs and line breaks, so the link would not match the text.
  return /\p{Cc}/u.test(text) || !text.isWellFormed()
    ? 'The URL contains control characters or invalid Unicode. Remove them.'
    : undefined;
}

const HAS_CREDENTIALS = 'The URL contains a user name or password. Remove it.';
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
