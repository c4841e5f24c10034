import { VISITS_DAYS } from '../../shared/limits.ts';
import type { Clock } from '../lib/clock.ts';
import { DAY_MS } from '../lib/durations.ts';
import type { Store } from '../store/store.ts';

/** Visitors of each link on each of the last 30 days (UTC), oldest first. */
export async function readVisits30(
  linkIds: readonly string[],
  { store, clock }: { store: Store; clock: Clock },
): Promise<number[][]> {
  const first = (Math.floor(clock() / DAY_MS) - VISITS_DAYS + 1) * DAY_MS;
  const perDay = await store.readVisitsPerDay(linkIds, first);
  // Few days have visitors, and this is done for each row of a list.
  return linkIds.map((id) => {
    const days = new Array<number>(VISITS_DAYS).fill(0);
    for (const [day, people] of perDay.get(id) ?? []) {
      const index = (day - first) / DAY_MS;
      if (index < VISITS_DAYS) days[index] = people;
    }
    return days;
  });
}
