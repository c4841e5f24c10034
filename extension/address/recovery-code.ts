import { parseServerAddress } from './server-origin.ts';

/** An account as a person carries it to another browser. */
export type Recovery = {
  /** Absent where a bare token was pasted. */
  origin?: string;
  token: string;
};

const SCHEME = 'curt:';
/** Visible ASCII: no request could carry anything else. */
const TOKEN_SHAPE = /^[!-"$-~]{8,}$/;

/** `curt:https://curt.example#curt_…`: the server's origin, and after the # the token. */
export function formatRecoveryCode(origin: string, token: string): string {
  return `${SCHEME}${origin}#${token}`;
}

/** Reads a recovery code, which mail may have broken into lines, or a bare token. */
export function parseRecoveryCode(text: string): Recovery | undefined {
  const trimmed = text.trim();
  if (!trimmed.toLowerCase().startsWith(SCHEME)) {
    return TOKEN_SHAPE.test(trimmed) ? { token: trimmed } : undefined;
  }
  const code = trimmed.slice(SCHEME.length).replace(/\s+/g, '');
  const end = code.indexOf('#');
  const address = parseServerAddress(code.slice(0, Math.max(end, 0)));
  const token = code.slice(end + 1);
  if (!address.ok || !TOKEN_SHAPE.test(token)) return undefined;
  return { origin: address.origin, token };
}
