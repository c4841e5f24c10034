/** Where the server is, as an origin (`http://localhost:2878`), or a code that says why not. */
export type ServerAddressResult =
  | { ok: true; origin: string }
  | {
      ok: false;
      code: 'address_empty' | 'address_invalid' | 'address_not_web' | 'address_has_user';
    };

const HOST_ONLY = /^[^/?#:@\s]+(:\d{1,5})?([/?#]|$)/;

/**
 * Reads a server's address as a person writes it, and keeps its origin alone: a pasted address of
 * one of the server's pages is good enough. Without a protocol it is `https:`, on this computer `http:`.
 */
export function parseServerAddress(input: string): ServerAddressResult {
  const text = input.trim();
  if (text === '') return { ok: false, code: 'address_empty' };
  const withProtocol = HOST_ONLY.test(text) ? withLikelyProtocol(text) : text;
  if (!URL.canParse(withProtocol)) return { ok: false, code: 'address_invalid' };
  const url = new URL(withProtocol);
  // Chromium escapes a space in a host (`exa%20mple.com`), where the URL Standard reports an error.
  if (url.hostname.includes('%')) return { ok: false, code: 'address_invalid' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { ok: false, code: 'address_not_web' };
  }
  if (url.username || url.password) return { ok: false, code: 'address_has_user' };
  return { ok: true, origin: url.origin };
}

/** Whether the links of a server there work on this computer only. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Whether addresses and the token would travel readable for everybody on the way. */
export function isPlainHttp(origin: string): boolean {
  return new URL(origin).protocol === 'http:' && !isLoopback(origin);
}

function withLikelyProtocol(text: string): string {
  const guess = `http://${text}`;
  return URL.canParse(guess) && isLoopback(guess) ? guess : `https://${text}`;
}
