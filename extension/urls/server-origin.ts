/** The server's origin, for example `http://localhost:2878`, or why the text is not an address. */
export type ServerAddressResult =
  | {
      ok: true;
      origin: string;
      /** The path of the address, which is left out; empty for none. */
      folder: string;
    }
  | {
      ok: false;
      code: 'address_empty' | 'address_invalid' | 'address_not_web' | 'address_has_user';
    };

const HOST_ONLY = /^[^/?#:@\s]+(:\d{1,5})?([/?#]|$)/;

/**
 * Parses a typed server address and returns its origin, so the URL of any page of the server works.
 * The default protocol is `https:`, or `http:` for this computer.
 */
export function parseServerAddress(input: string): ServerAddressResult {
  const text = input.trim();
  if (text === '') return { ok: false, code: 'address_empty' };
  const withProtocol = HOST_ONLY.test(text) ? withDefaultProtocol(text) : text;
  if (!URL.canParse(withProtocol)) return { ok: false, code: 'address_invalid' };
  const url = new URL(withProtocol);
  // Chromium escapes a space in a host (`exa%20mple.com`), which the URL Standard rejects.
  if (url.hostname.includes('%')) return { ok: false, code: 'address_invalid' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { ok: false, code: 'address_not_web' };
  }
  if (url.username || url.password) return { ok: false, code: 'address_has_user' };
  return { ok: true, origin: url.origin, folder: url.pathname.replace(/\/$/, '') };
}

/** Whether a short URL works only on the computer of its server, which is another one. */
export function isForServerOnly(shortUrl: string, serverOrigin: string): boolean {
  return isLoopback(shortUrl) && !isLoopback(serverOrigin);
}

/** Whether the links of a server at this origin work on this computer only. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether URLs and the token would be sent unencrypted over a network. */
export function isPlainHttp(origin: string): boolean {
  return new URL(origin).protocol === 'http:' && !isLoopback(origin);
}

function withDefaultProtocol(text: string): string {
  const guess = `http://${text}`;
  return URL.canParse(guess) && isLoopback(guess) ? guess : `https://${text}`;
}

const NO_CURT = [
  'unreachable',
  'timeout',
  'gateway_error',
  'redirected',
  'unreadable_answer',
  'not_curt',
] as const;
/** Why no Curt server has responded to a call, which may have had an effect. */
export type NoCurt = (typeof NO_CURT)[number];

export function isNoCurt(code: string): code is NoCurt {
  return NO_CURT.includes(code as NoCurt);
}
