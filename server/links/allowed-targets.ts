import type { Issue } from '../../shared/errors.ts';
import { LINK_TARGETS_MAX_BYTES } from '../../shared/limits.ts';
import { type Card, type Rule, urlsOf } from '../../shared/links/destinations.ts';
import { notAllowed } from '../../shared/links/original-url.ts';
import { isWebScheme, schemeOf } from '../../shared/links/schemes.ts';
import type { Settings } from '../config.ts';
import { normalizeHost } from '../lib/host-name.ts';
import { type ServiceError, withIssue } from '../lib/service-error.ts';
import type { StatusDependencies } from './link-fields.ts';

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
