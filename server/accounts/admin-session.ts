import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { HOUR_MS } from '../lib/durations.ts';

/** A working day. Then the proxy is asked again who somebody is. */
const LIFETIME_MS = 8 * HOUR_MS;

export type AdminSessionDependencies = {
  settings: Pick<Settings, 'adminIdentities'>;
  clock: Clock;
  dataSecret: Buffer;
};

/**
 * The token with which somebody in `ADMIN_IDENTITIES` administers: who it is and until when, signed with the
 * data folder's secret. The server stores nothing for it, and removing a name from the setting ends it.
 */
export function newAdminSession(
  identity: string,
  { clock, dataSecret }: Omit<AdminSessionDependencies, 'settings'>,
): { token: string; expires: number } {
  const expires = clock() + LIFETIME_MS;
  const content = Buffer.from(JSON.stringify([identity, expires])).toString('base64url');
  return { token: `${content}.${sign(content, dataSecret)}`, expires };
}

/** @param token from outside. @returns who it belongs to; undefined if it is not valid, or not any more */
export function readAdminSession(
  token: string,
  { settings, clock, dataSecret }: AdminSessionDependencies,
): string | undefined {
  const [content = '', given = '', ...rest] = token.split('.');
  const expected = Buffer.from(sign(content, dataSecret));
  const actual = Buffer.from(given);
  if (rest.length > 0 || actual.length !== expected.length) return undefined;
  if (!timingSafeEqual(actual, expected)) return undefined;
  const [identity, expires] = JSON.parse(Buffer.from(content, 'base64url').toString());
  return clock() < expires && settings.adminIdentities.includes(identity) ? identity : undefined;
}

function sign(content: string, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['admin', content]))
    .digest('base64url');
}
