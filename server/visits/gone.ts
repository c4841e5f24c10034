import type { LinkStatus } from '../../shared/links/link-record.ts';
import { ServiceError } from '../lib/service-error.ts';

/** Says no more than a visitor needs: not whether the link was deleted, nor by whom, when or why. */
const MESSAGES: Record<Exclude<LinkStatus, 'active' | 'blocked'>, string> = {
  inactive: 'This link was turned off.',
  deleted: 'This link was turned off.',
  expired: 'This link has expired.',
  used_up: 'This link has been used up.',
};

/** The error for a visit of a link that no longer leads to its target. */
export function linkGone(status: keyof typeof MESSAGES | 'blocked'): ServiceError {
  if (status === 'blocked') {
    return new ServiceError('link_blocked', 'The operator of this server has blocked this link.');
  }
  return new ServiceError('link_gone', MESSAGES[status]);
}
