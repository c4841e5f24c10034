import { ORIGINAL_URL_MAX_CHARACTERS, TARGET_URL_MAX_CHARACTERS } from './limits.ts';

/** The long URL as the link keeps it, and parsed; or a sentence that says why it cannot be shortened. */
export type OriginalUrlResult =
  | { ok: true; originalUrl: string; url: URL }
  | { ok: false; reason: string };

const WEB_PROTOCOL = /^https?:\/\//i;
const ANY_PROTOCOL = /^([a-z][a-z0-9+.-]*):/i;
/** `example.com:8080/x` and `localhost:3000` look like a protocol, and have none. */
const HOST_AND_PORT = /^[^/?#:@]+:\d{1,5}(?=[/?#]|$)/;
const DOTTED_QUAD = /^\d{1,3}(\.\d{1,3}){3}$/;
const TOP_LEVEL_LABEL = /^([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const HOST_MAX_CHARACTERS = 253;
const LABEL_MAX_CHARACTERS = 63;
/**
 * As written, where percent-encoding takes more room. Parsing an international host takes time
 * that grows with the square of its length, so a long one is rejected before it is parsed.
 */
const AUTHORITY_MAX_CHARACTERS = 512;

/**
 * Reads a long URL as a caller writes it: trims it, prepends `https://` where it has no protocol,
 * and changes nothing else.
 *
 * @param input at most 8,192 UTF-16 code units once trimmed, and 15 KiB once serialized
 * Source: specification, "Request body", `originalUrl`; contract, "Request".
 */
export function parseOriginalUrl(input: string): OriginalUrlResult {
  const text = input.trim();
  if (text === '') return refuse('The URL is empty. Send the address to shorten.');
  if (text.length > ORIGINAL_URL_MAX_CHARACTERS) {
    return refuse(`The URL is longer than ${ORIGINAL_URL_MAX_CHARACTERS} characters.`);
  }
  // URL parsers drop tabs and line breaks silently, so the text would not be the address it shows.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
    return refuse('The URL contains control characters or broken text. Remove them.');
  }

  const hasProtocol = WEB_PROTOCOL.test(text);
  if (!hasProtocol && !HOST_AND_PORT.test(text)) {
    const protocol = ANY_PROTOCOL.exec(text)?.[1];
    if (protocol) {
      return refuse(`Only http:// and https:// addresses can be shortened, not "${protocol}:".`);
    }
  }
  const originalUrl = hasProtocol ? text : `https://${text.replace(/^\/\//, '')}`;

  const authority = /^[^:]+:\/\/([^/?#\\]*)/.exec(originalUrl)?.[1] ?? '';
  if (authority === '') return refuse('The URL names no host.');
  if (authority.includes('@')) {
    return refuse('The URL carries a user name or password before its host. Remove it.');
  }
  if (authority.length > AUTHORITY_MAX_CHARACTERS) return refuse(HOST_TOO_LONG);
  const url = URL.parse(originalUrl);
  // Chromium escapes a space in a host (`exa%20mple.com`), where the URL Standard reports an error.
  if (!url || url.hostname.includes('%')) return refuse('This is not a valid URL.');
  if (url.href.length > TARGET_URL_MAX_CHARACTERS) {
    return refuse(
      `The URL is longer than ${TARGET_URL_MAX_CHARACTERS} characters once its special characters are percent-encoded.`,
    );
  }
  const hostname = url.hostname.replace(/\.$/, '');
  if (hostname.length > HOST_MAX_CHARACTERS) return refuse(HOST_TOO_LONG);
  const labels = hostname.split('.');
  if (labels.includes('')) return refuse('The host name has an empty part.');
  if (labels.some((label) => label.length > LABEL_MAX_CHARACTERS)) {
    return refuse(
      `A part of the host name is longer than ${LABEL_MAX_CHARACTERS} characters, which no name server allows.`,
    );
  }
  if (!hasProtocol && !isPlausibleHost(hostname, authority)) {
    return refuse(
      `"${authority}" does not look like a web address. If it is one, write it with https:// in front.`,
    );
  }
  return { ok: true, originalUrl, url };
}

const HOST_TOO_LONG = `The host name is longer than ${HOST_MAX_CHARACTERS} characters, which no name server allows.`;

/** Without a protocol, a bare word is more likely a slip than an intranet host. */
function isPlausibleHost(hostname: string, authority: string): boolean {
  if (hostname === 'localhost' || hostname.startsWith('[')) return true;
  // URL parsers read `12345`, `1.2` and `010.1.1.1` as other IPv4 addresses than they show.
  if (DOTTED_QUAD.test(hostname)) return authority.replace(/:\d*$/, '') === hostname;
  const labels = hostname.split('.');
  return labels.length > 1 && TOP_LEVEL_LABEL.test(labels.at(-1) ?? '');
}

function refuse(reason: string): OriginalUrlResult {
  return { ok: false, reason };
}
