import type { BlockList } from '../blocks/block-list.ts';
import type { Settings } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Link } from '../store/link.ts';
import { linkStatus } from '../store/link-status.ts';
import type { Store } from '../store/store.ts';
import { needsPreview } from './needs-preview.ts';

type Dependencies = {
  settings: Pick<Settings, 'customGtm'>;
  store: Pick<Store, 'knownLink'>;
  clock: Clock;
  blocks: Pick<BlockList, 'isBlocked'>;
};

/** The link with this alias, if a visit of it now is a redirect and nothing else. */
export type FindPlainLink = (alias: string) => Link | undefined;

/** Creates a function that needs neither a page nor a look at the database. */
export function createPlainLinkFinder(dependencies: Dependencies): FindPlainLink {
  const { store, clock, blocks } = dependencies;
  return (alias) => {
    const link = store.knownLink(alias);
    const isPlain =
      link !== undefined &&
      link.passwordHash === null &&
      // Otherwise the store decides on each visit.
      link.maxVisits === null &&
      !needsPreview(link, dependencies) &&
      linkStatus(link, clock(), blocks) === 'active';
    return isPlain ? link : undefined;
  };
}
