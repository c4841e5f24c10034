/** An account to move to another browser, or to the dashboard. */
export type Recovery = {
  /** Absent if the text was a token only. */
  origin?: string;
  token: string;
};

const SCHEME = 'curt:';
/** Visible ASCII, as in an `Authorization` header. */
const TOKEN_SHAPE = /^[!-"$-~]{8,1000}$/;

export function isToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

/** Formats a recovery code: the server's origin and the token, as in `curt:https://curt.example#curt_…`. */
export function formatRecoveryCode(origin: string, token: string): string {
  return `${SCHEME}${origin}#${token}`;
}

/** Parses a recovery code, which an email may have wrapped, or a token. */
export function parseRecoveryCode(text: string): Recovery | undefined {
  const trimmed = text.trim();
  if (!trimmed.toLowerCase().startsWith(SCHEME)) {
    return isToken(trimmed) ? { token: trimmed } : undefined;
  }
  const code = trimmed.slice(SCHEME.length).replace(/\s+/g, '');
  const end = code.indexOf('#');
  const origin = toOrigin(code.slice(0, Math.max(end, 0)));
  const token = code.slice(end + 1);
  if (origin === undefined || !isToken(token)) return undefined;
  return { origin, token };
}

function toOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, username, password, origin } = new URL(address);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !username && !password ? origin : undefined;
}
