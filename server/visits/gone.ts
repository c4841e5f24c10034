import type { LinkStatus } from '../../shared/links/link-status.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Link } from '../store/link.ts';

/** Says no more than a visitor needs: not whether the link was deleted, nor by whom, when or why. */
const MESSAGES: Record<Exclude<LinkStatus, 'active' | 'scheduled' | 'blocked'>, string> = {
  inactive: 'This link was turned off.',
  deleted: 'This link was turned off.',
  expired: 'This link has expired.',
  used_up: 'This link has been used up.',
  domain_removed: 'This link was turned off.',
};

/** The link no longer leads to its targets. */
export class LinkGoneError extends ServiceError {
  readonly link: Link;
  /** Where visitors go instead; null if the link or its domain is gone for good, or it has no such target. */
  readonly goneUrl: string | null;

  constructor(link: Link, status: keyof typeof MESSAGES) {
    super('link_gone', MESSAGES[status]);
    this.link = link;
    const isOwners = status !== 'deleted' && status !== 'domain_removed';
    this.goneUrl = isOwners ? link.goneUrl : null;
  }
}

/** The error for a visit of a link that is not active. */
export function notActive(
  link: Link,
  status: Exclude<LinkStatus, 'active'>,
  now: number,
): ServiceError {
  switch (status) {
    case 'blocked':
      return new ServiceError('link_blocked', 'The operator of this server has blocked this link.');
    case 'scheduled':
      return notStarted(link.startsAt ?? now, now);
    default:
      return new LinkGoneError(link, status);
  }
}

function notStarted(startsAt: number, now: number): ServiceError {
  return new ServiceError(
    'too_early',
    `This link works from ${new Date(startsAt).toISOString()}.`,
    { startsAt, retryAfterSeconds: Math.ceil((startsAt - now) / 1000) },
  );
}
