import { VISITS_DAYS } from '../../shared/limits.ts';
import type { Service } from '../dependencies.ts';
import { DAY_MS } from '../lib/durations.ts';

/** Visitors of each link on each of the last 30 days (UTC), oldest first. */
export async function readVisits30(
  linkIds: readonly string[],
  { store, clock }: Pick<Service, 'store' | 'clock'>,
): Promise<number[][]> {
  const first = (Math.floor(clock() / DAY_MS) - VISITS_DAYS + 1) * DAY_MS;
  const perDay = await store.readVisitsPerDay(linkIds, first);
  const days = Array.from({ length: VISITS_DAYS }, (_, index) => first + index * DAY_MS);
  return linkIds.map((id) => days.map((day) => perDay.get(id)?.get(day) ?? 0));
}
