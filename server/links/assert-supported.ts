import type { Settings } from '../config.ts';
import { hostOfUrl } from '../lib/host-name.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { RecordDependencies } from './to-link-record.ts';

export type SupportDependencies = RecordDependencies & { settings: Pick<Settings, 'customGtm'> };

/** What this server refuses although the schema allows it. Absent and null fields pass. */
type Request = {
  originalUrl?: { url: URL } | undefined;
  customGtmId?: string | null | undefined;
};

/** @throws ServiceError `invalid_url` for a redirect loop, `blocked_url`, or `invalid_request` */
export function assertSupported(
  { originalUrl, customGtmId }: Request,
  { settings, domains, blocks }: SupportDependencies,
): void {
  if (originalUrl && domains.contains(originalUrl.url)) {
    const message =
      'This URL is on a short domain of this server, so the link would be a redirect loop.';
    throw new ServiceError('invalid_url', message, { issues: [{ path: 'originalUrl', message }] });
  }
  if (originalUrl && blocks.blocksHost(hostOfUrl(originalUrl.url.href))) {
    const message = 'This server does not allow links to this host.';
    throw new ServiceError('blocked_url', message, { issues: [{ path: 'originalUrl', message }] });
  }
  if (customGtmId && settings.customGtm === 'off') {
    const message = 'This server does not allow Tag Manager containers. Omit customGtmId.';
    throw new ServiceError('invalid_request', message, {
      issues: [{ path: 'customGtmId', message }],
    });
  }
}
