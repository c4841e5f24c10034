import type { FailureText } from '../../i18n/failure-text.ts';
import type {
  AccountStatistics,
  LinkStatistics,
  StatisticsQuery,
  StatisticsReport,
} from '../../statistics.ts';

/** Only an account has links, and only a link has targets. */
export type ShownReport = StatisticsReport & Partial<AccountStatistics & LinkStatistics>;
export type TopLink = AccountStatistics['topLinks'][number];

export type StatisticsOutcome =
  | { ok: true; data: ShownReport }
  | { ok: false; failure: FailureText };

/** Where statistics come from: those of a link, or of an account. Never throws. */
export interface StatisticsSource {
  read(query: StatisticsQuery): Promise<StatisticsOutcome>;
}
