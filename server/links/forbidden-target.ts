import type { Issue } from '../../shared/errors.ts';
import { type Card, type Rule, urlsOf } from '../../shared/links/destinations.ts';
import { notAllowed } from '../../shared/links/original-url.ts';
import { isWebScheme, schemeOf } from '../../shared/links/schemes.ts';
import type { Settings } from '../config.ts';
import { hostOfUrl } from '../lib/host-name.ts';
import type { StatusDependencies } from './to-link-record.ts';

/** As requests and files have them once they are parsed. */
export type RequestedTargets = {
  originalUrl?: { url: URL } | undefined;
  rules?: Rule[] | undefined;
  goneUrl?: string | null | undefined;
  card?: Card | null | undefined;
};

export type TargetDependencies = StatusDependencies & { settings: Pick<Settings, 'extraSchemes'> };

/** The first URL that this server does not allow, and why: its scheme, a redirect loop, or a blocked host. */
export function findForbiddenTarget(
  { originalUrl, ...others }: RequestedTargets,
  { domains, blocks, settings }: TargetDependencies,
): (Issue & { code: 'invalid_url' | 'blocked_url' }) | undefined {
  for (const { path, url } of urlsOf({ originalUrl: originalUrl?.url.href, ...others })) {
    const scheme = schemeOf(url) ?? '';
    if (!isWebScheme(scheme) && !settings.extraSchemes.includes(scheme)) {
      return { code: 'invalid_url', path, message: notAllowed(scheme) };
    }
    if (domains.contains(new URL(url))) {
      const message =
        'This URL is on a short domain of this server, so the link would be a redirect loop.';
      return { code: 'invalid_url', path, message };
    }
    if (blocks.blocksHost(hostOfUrl(url))) {
      const message = 'This server does not allow links to this host.';
      return { code: 'blocked_url', path, message };
    }
  }
  return undefined;
}
