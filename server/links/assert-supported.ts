import type { Settings } from '../config.ts';
import { ServiceError } from '../lib/service-error.ts';
import {
  findForbiddenTarget,
  type RequestedTargets,
  type TargetDependencies,
} from './forbidden-target.ts';

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
    throw new ServiceError(code, message, { issues: [{ path, message }] });
  }
  const byCountry = request.rules?.findIndex(({ country }) => country !== undefined) ?? -1;
  if (byCountry !== -1 && settings.countryHeader === undefined) {
    throw notSupported(
      `rules.${byCountry}.country`,
      'This server does not know the country of visitors. Omit the condition, or ask the operator to set COUNTRY_HEADER.',
    );
  }
  if (request.customGtmId && settings.customGtm === 'off') {
    throw notSupported(
      'customGtmId',
      'This server does not allow Tag Manager containers. Omit customGtmId.',
    );
  }
}

function notSupported(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', message, { issues: [{ path, message }] });
}
