import { LINK_TARGETS_MAX_BYTES } from '../../shared/limits.ts';
import { ServiceError } from '../lib/service-error.ts';

export const TARGETS_TOO_LONG = `All URLs of the link together (originalUrl, rules, goneUrl, card.imageUrl) must have at most ${LINK_TARGETS_MAX_BYTES / 1024} KiB as they are in Location.`;

/** Of a link as it would be, so no field alone is wrong. */
export function targetsTooLong(): ServiceError {
  return new ServiceError('invalid_request', TARGETS_TOO_LONG, {
    issues: [{ path: '', message: TARGETS_TOO_LONG }],
  });
}
