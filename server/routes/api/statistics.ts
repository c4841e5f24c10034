import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../config.ts';
import { findTopLinks } from '../../links/manage/list-links.ts';
import { type FindDependencies, findOwnLink } from '../../links/manage/own-link.ts';
import type { RecordDependencies } from '../../links/to-link-record.ts';
import { targetNames } from '../../visits/redirect-target.ts';
import { toPeriods } from '../../visits/report/periods.ts';
import { peopleOf, topLinkIds, topTargets, toReport } from '../../visits/report/to-report.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';
import { addRoutes } from './add-routes.ts';
import { readLinkCall } from './links.ts';

type Dependencies = FindDependencies &
  Pick<RecordDependencies, 'domains'> & { settings: Pick<Settings, 'statistics'> };

/** Registers `GET /api/stats` and `GET /api/links/:alias/stats`. */
export async function statisticsRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const { store, clock } = dependencies;
  const isRecording = dependencies.settings.statistics;
  const message = 'Visits in the period.';
  const add = addRoutes(app, 'Statistics', 'read');

  add.getStatistics(
    {
      summary: 'Statistics of all links of the account, or of those with a tag',
      description:
        'Visits appear within a second. Without `tag`, they include those of links that were deleted permanently since. Nothing that identifies a visitor is stored.',
    },
    async ({ query: { tag, ...query }, request }) => {
      const periods = toPeriods(query, clock());
      const { id: accountId } = ownerOf(request).account;
      const statistics = await store.readStatistics({ accountId, ...(tag && { tag }) });
      const top = topLinkIds(statistics, periods);
      const topLinks = await findTopLinks(top, accountId, dependencies);
      const otherLinks = peopleOf(top) - peopleOf(topLinks);
      const data = { ...toReport(statistics, periods, isRecording), topLinks, otherLinks };
      return { success: true, message, data };
    },
  );

  add.getLinkStatistics(
    {
      summary: 'Statistics of a link',
      description: 'Visits appear within a second. Nothing that identifies a visitor is stored.',
    },
    async (call) => {
      const periods = toPeriods(call.query, clock());
      const link = await findOwnLink(readLinkCall(call, dependencies), dependencies);
      const statistics = await store.readStatistics({ linkId: link.id });
      const targets = topTargets(statistics, periods, targetNames(link));
      const data = { ...toReport(statistics, periods, isRecording), targets };
      return { success: true, message, data };
    },
  );
}
