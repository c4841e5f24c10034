/** A token as somebody pastes it. */
type PastedToken = {
  /** The server's. Absent if the text was a token only. */
  origin?: string;
  token: string;
};

/** What the tokens of a server start with. */
export const TOKEN_PREFIX = 'curt_';
const SCHEME = 'curt:';
const DASHBOARD_WITH_TOKEN = /^https?:\/\/[^#?]*\/dashboard\/?#/i;
/** Visible ASCII, as in an `Authorization` header. */
const TOKEN_SHAPE = /^[!-"$-~]{8,1000}$/;

export function isToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

const CODE = /^code=([\w-]{22})$/;

/**
 * Returns the code of an address that signs in, which stands where its token would: whoever uses it exchanges it for a
 * token first.
 */
export function codeOf(token: string): string | undefined {
  return CODE.exec(token)?.[1];
}

/** Returns a token to take to another browser: with its server's origin, as in `curt:https://curt.example#curt_…`. */
export function formatTokenText(origin: string, token: string): string {
  return `${SCHEME}${origin}#${token}`;
}

/** Reads what `formatTokenText` returns, a dashboard's address with a code or a token, which an email may have wrapped, or a token. */
export function parseTokenText(pasted: string): PastedToken | undefined {
  const trimmed = pasted.trim();
  const hasScheme = trimmed.toLowerCase().startsWith(SCHEME);
  const text = (hasScheme ? trimmed.slice(SCHEME.length) : trimmed).replace(/\s+/g, '');
  if (!hasScheme && !DASHBOARD_WITH_TOKEN.test(text)) {
    return isToken(trimmed) ? { token: trimmed } : undefined;
  }
  const end = text.indexOf('#');
  const origin = toOrigin(text.slice(0, Math.max(end, 0)));
  const token = text.slice(end + 1);
  if (origin === undefined || !isToken(token)) return undefined;
  return { origin, token };
}

function toOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, username, password, origin } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !username && !password ? origin : undefined;
}
