import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S+) *$/i;

/**
 * The token that a request sends, in `Authorization: Bearer …` or in `X-API-Key`: undefined without
 * either header, null if they differ or have another form.
 */
export function readSentToken({
  authorization,
  'x-api-key': apiKey,
}: IncomingHttpHeaders): string | null | undefined {
  if (authorization === undefined && apiKey === undefined) return undefined;
  const bearer =
    authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? null);
  if (apiKey === undefined) return bearer;
  const key = String(apiKey).trim();
  return bearer === undefined || bearer === key ? key : null;
}
