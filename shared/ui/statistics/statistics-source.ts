import type { FailureText } from '../../i18n/failure-text.ts';
import type { StatisticsQuery, StatisticsReport } from '../../statistics.ts';

export type StatisticsOutcome =
  | { ok: true; data: StatisticsReport }
  | { ok: false; failure: FailureText };

/** Where statistics come from: those of a link, or of an account. Never throws. */
export interface StatisticsSource {
  read(query: StatisticsQuery): Promise<StatisticsOutcome>;
}
