import { EXPIRY_MAX_YEARS } from '../../shared/limits.ts';
import { EXPIRY_FIELDS } from '../../shared/links/shorten-request.ts';
import { withIssue } from '../lib/service-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts';

/** How far ahead a link can expire. */
export const EXPIRY_MAX_MS = EXPIRY_MAX_YEARS * 365.25 * DAY_MS;

type ExpiryRequest = {
  /** null for never. */
  expiresAt?: string | null | undefined;
  expiresInMinutes?: number | undefined;
  expiresInHours?: number | undefined;
  expiresInDays?: number | undefined;
};

/**
 * Returns when the link stops working, in milliseconds since the epoch; null for never.
 *
 * @throws ServiceError `expires_in_past`, or `invalid_request` if it is more than 100 years ahead
 * @see docs/api.md, "Create links"
 */
export function resolveExpiry(request: ExpiryRequest, now: number): number | null {
  const path = EXPIRY_FIELDS.find((field) => request[field] !== undefined);
  if (path === undefined || request.expiresAt === null) return null;
  const expiresAt =
    request.expiresAt !== undefined
      ? Date.parse(request.expiresAt)
      : // Rounded up, so that a tiny fraction is at least one millisecond.
        now + Math.ceil(relativeMs(request));
  if (expiresAt <= now) {
    const message = 'The expiry is in the past. Send a time in the future.';
    throw withIssue(path, message, 'expires_in_past');
  }
  if (expiresAt > now + EXPIRY_MAX_MS) {
    const message = `The expiry is more than ${EXPIRY_MAX_YEARS} years ahead. Omit it for a link that never expires.`;
    throw withIssue(path, message);
  }
  return expiresAt;
}

type Period = { startsAt: number | null; expiresAt: number | null };

/** @throws ServiceError `invalid_request` if the link would never work */
export function assertStartsBeforeExpiry(period: Period): void {
  if (startsBeforeExpiry(period)) return;
  throw withIssue('startsAt', 'The link would expire before it starts. Send an earlier time.');
}

export function startsBeforeExpiry({ startsAt, expiresAt }: Period): boolean {
  return startsAt === null || expiresAt === null || startsAt < expiresAt;
}

function relativeMs(request: ExpiryRequest): number {
  const { expiresInMinutes = 0, expiresInHours = 0, expiresInDays = 0 } = request;
  return expiresInMinutes * MINUTE_MS + expiresInHours * HOUR_MS + expiresInDays * DAY_MS;
}
