import type { FastifyInstance } from 'fastify';
import { aliasParamsSchema, linkQuerySchema } from '../../shared/links/link-responses.ts';
import {
  accountStatisticsResponseSchema,
  linkStatisticsResponseSchema,
  statisticsQuerySchema,
} from '../../shared/statistics.ts';
import type { Settings } from '../config.ts';
import { type FindDependencies, findOwnLink } from '../links/manage/own-link.ts';
import { findTopLinks } from '../links/manage/top-links.ts';
import type { RecordDependencies } from '../links/to-link-record.ts';
import { toPeriods } from '../visits/report/periods.ts';
import { topLinkIds, topTargets, toReport } from '../visits/report/to-report.ts';
import { type Endpoint, ownerOf } from '../web/plugins/endpoint.ts';
import { addRoute } from './add-route.ts';
import { readLinkCall } from './links/send-link.ts';

type Dependencies = FindDependencies &
  Pick<RecordDependencies, 'domains'> & { settings: Pick<Settings, 'statistics'> };

const linkStatisticsQuerySchema = statisticsQuerySchema.extend(linkQuerySchema.shape);

const ofAccount = {
  access: 'read',
  tag: 'Statistics',
  operationId: 'getStatistics',
  summary: 'Statistics of all links of the account',
  description:
    'Visits appear within a second. They include those of links that were erased since. Nothing that identifies a visitor is stored.',
  query: statisticsQuerySchema,
  response: accountStatisticsResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

const ofLink = {
  ...ofAccount,
  operationId: 'getLinkStatistics',
  summary: 'Statistics of a link',
  description: 'Visits appear within a second. Nothing that identifies a visitor is stored.',
  params: aliasParamsSchema,
  query: linkStatisticsQuerySchema,
  response: linkStatisticsResponseSchema,
  errors: ['invalid_request', 'invalid_domain', 'not_found'],
} satisfies Endpoint;

/** `GET /api/stats` and `GET /api/links/:alias/stats`. */
export async function statisticsRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const { store, clock } = dependencies;
  const isRecording = dependencies.settings.statistics;
  const message = 'Visits in the period.';

  addRoute(app, 'GET', '/stats', ofAccount, async ({ query, request }) => {
    const periods = toPeriods(query, clock());
    const { id: accountId } = ownerOf(request).account;
    const statistics = await store.readStatistics({ accountId });
    const topLinks = await findTopLinks(topLinkIds(statistics, periods), accountId, dependencies);
    const data = { ...toReport(statistics, periods, isRecording), topLinks };
    return { success: true, message, data };
  });

  addRoute(app, 'GET', '/links/:alias/stats', ofLink, async (call) => {
    const periods = toPeriods(call.query, clock());
    const link = await findOwnLink(readLinkCall(call, dependencies), dependencies);
    const statistics = await store.readStatistics({ linkId: link.id });
    const targets = topTargets(statistics, periods);
    return {
      success: true,
      message,
      data: { ...toReport(statistics, periods, isRecording), targets },
    };
  });
}
