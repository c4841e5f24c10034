import type { VisitsOfHour } from '../../../server/store/visits.ts';
import { NOW } from '../contract.ts';

/** 2026-11-20T12:00:00Z is the start of an hour. */
export const HOUR = NOW;
/** The statistics of a link without visits. */
export const NOTHING = { hours: [], days: [], months: [], talliesOfDays: [], talliesOfMonths: [] };

/** A first visit of one person. */
export function visits(linkId: string, changes: Partial<VisitsOfHour> = {}): VisitsOfHour {
  return {
    linkId,
    hour: HOUR,
    people: 1,
    uniquePeople: 1,
    previews: 0,
    bots: 0,
    tallies: new Map(),
    ...changes,
  };
}
