import {
  type AccountStatistics,
  accountStatisticsResponseSchema,
  type StatisticsQuery,
  type StatisticsReport,
  statisticsResponseSchema,
} from '../statistics.ts';
import { toLink } from './link-methods.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export function statisticsMethods({ callForData }: Transport) {
  return {
    /** `GET /api/links/:alias/stats`: visits of a link. */
    linkStatistics(
      token: string,
      alias: string,
      query: StatisticsQuery = {},
    ): Promise<Result<StatisticsReport>> {
      const { path, query: domain } = toLink(alias, '/stats');
      return callForData({ path, query: { ...query, ...domain }, token }, statisticsResponseSchema);
    },

    /** `GET /api/stats`: visits of all links of the account. */
    accountStatistics(
      token: string,
      query: StatisticsQuery = {},
    ): Promise<Result<AccountStatistics>> {
      return callForData({ path: '/api/stats', query, token }, accountStatisticsResponseSchema);
    },
  };
}
