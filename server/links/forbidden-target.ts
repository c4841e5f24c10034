import type { Issue } from '../../shared/errors.ts';
import { type Rule, targetsOf } from '../../shared/links/destinations.ts';
import { hostOfUrl } from '../lib/host-name.ts';
import type { RecordDependencies } from './to-link-record.ts';

/** As requests and files have them once they are parsed. */
export type RequestedTargets = {
  originalUrl?: { url: URL } | undefined;
  rules?: Rule[] | undefined;
  goneUrl?: string | null | undefined;
};

/** The first target that this server does not allow, and why: a redirect loop, or a blocked host. */
export function findForbiddenTarget(
  { originalUrl, rules, goneUrl }: RequestedTargets,
  { domains, blocks }: RecordDependencies,
): (Issue & { code: 'invalid_url' | 'blocked_url' }) | undefined {
  for (const { path, url } of targetsOf({ originalUrl: originalUrl?.url.href, rules, goneUrl })) {
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
