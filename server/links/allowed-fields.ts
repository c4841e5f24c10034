import { EXPIRY_MAX_YEARS, LINK_TARGETS_MAX_BYTES } from '../../shared/bounds.ts';
import type { Issue } from '../../shared/errors.ts';
import { type Card, type Rule, urlsOf } from '../../shared/links/destinations.ts';
import { notAllowed } from '../../shared/links/original-url.ts';
import { isWebScheme, schemeOf } from '../../shared/links/schemes.ts';
import { EXPIRY_FIELDS, type ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Settings } from '../config.ts';
import { normalizeHost } from '../lib/host-name.ts';
import { type ServiceError, withIssue } from '../lib/service-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import type { StatusDependencies } from './to-link-record.ts';

export const TARGETS_TOO_LONG = `All URLs of the link together (originalUrl, rules, goneUrl, card.imageUrl) must have at most ${LINK_TARGETS_MAX_BYTES / 1024} KiB as they are in Location.`;

/** Returns the error of a link as it would be, so that no field alone is wrong. */
export function targetsTooLong(): ServiceError {
  return withIssue('', TARGETS_TOO_LONG);
}

/** As requests and files have them once they are parsed. */
export type RequestedTargets = {
  originalUrl?: { url: URL } | undefined;
  rules?: Rule[] | undefined;
  goneUrl?: string | null | undefined;
  card?: Card | null | undefined;
};

export type TargetDependencies = StatusDependencies & { settings: Pick<Settings, 'extraSchemes'> };

/** Finds the first URL that this server does not allow, and why: its scheme, a redirect loop, or a blocked host. */
export function findForbiddenTarget(
  { originalUrl, ...others }: RequestedTargets,
  { domains, blocks, settings }: TargetDependencies,
): (Issue & { code: 'invalid_url' | 'blocked_url' }) | undefined {
  for (const { path, url } of urlsOf({ originalUrl: originalUrl?.url.href, ...others })) {
    const scheme = schemeOf(url) ?? '';
    if (!isWebScheme(scheme) && !settings.extraSchemes.includes(scheme)) {
      return { code: 'invalid_url', path, message: notAllowed(scheme) };
    }
    // Parsed when the request was.
    const parsed = path === 'originalUrl' && originalUrl ? originalUrl.url : new URL(url);
    if (domains.contains(parsed)) {
      const message =
        'This URL is on a short domain of this server, so the link would be a redirect loop.';
      return { code: 'invalid_url', path, message };
    }
    if (blocks.blocksHost(normalizeHost(parsed.hostname))) {
      const message = 'This server does not allow links to this host.';
      return { code: 'blocked_url', path, message };
    }
  }
  return undefined;
}

export type SupportDependencies = TargetDependencies & {
  settings: Pick<Settings, 'countryHeader' | 'customGtm'>;
};

/** What this server refuses although the schema allows it. Absent and null fields pass. */
type Request = RequestedTargets & { customGtmId?: string | null | undefined };

/** @throws ServiceError `invalid_url` for a redirect loop, `blocked_url`, or `invalid_request` */
export function assertSupported(request: Request, dependencies: SupportDependencies): void {
  const { settings } = dependencies;
  const forbidden = findForbiddenTarget(request, dependencies);
  if (forbidden) {
    const { code, path, message } = forbidden;
    throw withIssue(path, message, code);
  }
  const byCountry = request.rules?.findIndex(({ country }) => country !== undefined) ?? -1;
  if (byCountry !== -1 && settings.countryHeader === undefined) {
    throw withIssue(
      `rules.${byCountry}.country`,
      'This server does not know the country of visitors. Omit the condition, or ask the operator to set COUNTRY_HEADER.',
    );
  }
  if (request.customGtmId && settings.customGtm === 'off') {
    throw withIssue(
      'customGtmId',
      'This server does not allow Tag Manager containers. Omit customGtmId.',
    );
  }
}

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

/** @throws ServiceError see `resolveExpiry` and `assertStartsBeforeExpiry` */
export function timesOf(request: ParsedShortenRequest, now: number): Period {
  const expiresAt = resolveExpiry(request, now);
  const startsAt = request.startsAt === undefined ? null : Date.parse(request.startsAt);
  assertStartsBeforeExpiry({ startsAt, expiresAt });
  return { startsAt, expiresAt };
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
