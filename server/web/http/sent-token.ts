import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;
const IS_BEARER = /^bearer(?: |$)/i;

/**
 * The token that a request sends, in `Authorization: Bearer …` or in `X-API-Key`: undefined without
 * either header, null if they differ or have another form. Beside a key, `Authorization` may have another scheme:
 * it is for a proxy in front of the server.
 */
export function readSentToken({
  authorization,
  'x-api-key': apiKey,
}: IncomingHttpHeaders): string | null | undefined {
  const bearer =
    authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? null);
  if (apiKey === undefined) return bearer;
  const key = String(apiKey).trim();
  const isOther = authorization === undefined || !IS_BEARER.test(authorization);
  return isOther || bearer === key ? key : null;
}
