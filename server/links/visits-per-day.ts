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
  const days = Array.from({ length: VISITS_DAYS }, (_, index) => first + index * DAY_MS);
  return linkIds.map((id) => days.map((day) => perDay.get(id)?.get(day) ?? 0));
}
