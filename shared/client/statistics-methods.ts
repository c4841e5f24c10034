import {
  type AccountStatistics,
  accountStatisticsResponseSchema,
  type LinkStatistics,
  linkStatisticsResponseSchema,
  type StatisticsQuery,
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
    ): Promise<Result<LinkStatistics>> {
      const { path, query: domain } = toLink(alias, '/stats');
      return callForData(
        { path, query: { ...query, ...domain }, token },
        linkStatisticsResponseSchema,
      );
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
