import { dateIn } from '../../../../shared/ui/statistics/state/ranges.ts';
import { browserTimeZone } from '../../../../shared/ui/statistics/state/time-zones.ts';
import type { LinkReference, Send } from '../../../messaging/protocol.ts';

/** Visits by people since midnight; undefined if they are not known. */
export async function readVisitsToday(
  send: Send,
  { serverOrigin, shortUrl }: Pick<LinkReference, 'serverOrigin' | 'shortUrl'>,
  now = new Date(),
): Promise<number | undefined> {
  const timeZone = browserTimeZone();
  const query = { unit: 'day', from: dateIn(timeZone, now), timeZone } as const;
  const answer = await send('readStatistics', { serverOrigin, shortUrl, query });
  return answer.ok && answer.data.isRecording ? answer.data.totals.people : undefined;
}
