import type { Service } from '../../core/context.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Link } from '../../store/link.ts';

/**
 * A block belongs to the link, not to its aliases. With an alias that the link has no more, its owner
 * could make the same link again, without the block.
 *
 * @throws ServiceError `link_blocked`
 */
export function assertMayLoseAliases({ id }: Link, { store }: Pick<Service, 'store'>): void {
  if (!store.blocks.link.has(id)) return;
  throw new ServiceError(
    'link_blocked',
    'The operator of this server has blocked this link. As long as it is blocked, it keeps its aliases and cannot be erased.',
  );
}
