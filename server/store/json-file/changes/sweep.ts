import { RESTORABLE_MS } from '../../../../shared/limits.ts';
import type { Link, LinkPurge } from '../../link.ts';
import { isGone } from '../../records/edited-link.ts';
import { type ChangeContext, untilDecided } from './context.ts';
import { tryToPurge } from './purge-link.ts';

/** Purges at once, which share a write. */
const TOGETHER = 500;

/**
 * Purges the links that were deleted too long ago to be restored, except blocked ones. Stops when
 * `isClosed` says so.
 */
export async function purgeOutdated(
  context: ChangeContext,
  isClosed: () => boolean,
): Promise<void> {
  const { state, clock } = context;
  const now = clock();
  const numbers = state.links.deletedBefore(now - RESTORABLE_MS);
  for (let start = 0; start < numbers.length && !isClosed(); start += TOGETHER) {
    const part = numbers.slice(start, start + TOGETHER);
    await Promise.all(
      part.map((number) => {
        if (state.links.isErased(number)) return false;
        const { id, accountId } = state.links.read(number);
        const link: LinkPurge = { linkId: id, accountId, by: { kind: 'administrator' } };
        const mayPurge = (each: Link) => isGone(each, now);
        return untilDecided(() => tryToPurge(context, link, mayPurge));
      }),
    );
  }
}
