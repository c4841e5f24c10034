import type { Link } from '../link.ts';
import { type Decision, unchanged } from './change.ts';

/** See `Store.takeVisit`. @param link with all its hits */
export function takeVisit(link: Link | undefined): Decision<boolean> {
  if (!link || link.deletedAt !== null) return unchanged(false);
  if (link.maxVisits !== null && link.hits >= link.maxVisits) return unchanged(false);
  return { outcome: true, records: [['hits', link.id, link.hits + 1]] };
}
