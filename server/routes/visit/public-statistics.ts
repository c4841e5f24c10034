import type { FastifyInstance } from 'fastify';
import type { LinkStatus } from '../../../shared/links/link-status.ts';
import { type StatisticsReport, statisticsQuerySchema } from '../../../shared/statistics.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import type { Settings } from '../../config.ts';
import type { Domains } from '../../domains/short-domains.ts';
import { parseKnownParameters } from '../../lib/parse-input.ts';
import { type Clock, DAY_MS } from '../../lib/time.ts';
import type { StatisticsRate } from '../../limits/client-limits.ts';
import { type Link, linkStatus } from '../../store/link.ts';
import type { Store } from '../../store/store.ts';
import type { LinkFinder } from '../../visits/link-finder.ts';
import { toPeriods } from '../../visits/report/periods.ts';
import { publicSiteName, toReport } from '../../visits/report/to-report.ts';
import { wantsJson } from '../../web/plugins/errors.ts';
import { sendPage } from '../../web/views/send-page.ts';
import type { Translator } from '../../web/views/translator.ts';
import { addVary, translatorFor } from '../../web/views/translator.ts';
import { hidesTarget, hostOf } from './link-pages.ts';
import { readVisit } from './redirects.ts';

type Dependencies = {
  settings: Pick<Settings, 'statistics'>;
  store: Store;
  domains: Domains;
  blocks: BlockList;
  statisticsRate: StatisticsRate;
  clock: Clock;
};

/** The periods that the page offers, as days up to today, or as months. */
const RANGES = [
  ['range_7_days', 7],
  ['range_30_days', 30],
  ['range_90_days', 90],
  ['range_12_months', 'month'],
] as const;
/** Rows of a table. */
const ROWS_MAX = 8;
/** Labels below the chart, at most. */
const LABELS_MAX = 6;

/**
 * `GET /<alias>/stats`: the statistics of a link with `publicStats`, as a page without JavaScript, or as JSON.
 * Any other link is unknown here.
 */
export async function publicStatisticsRoute(
  app: FastifyInstance,
  { findLink, ...dependencies }: Dependencies & { findLink: LinkFinder },
) {
  const { settings, store, domains, blocks, statisticsRate, clock } = dependencies;

  app.get<{ Params: { alias: string } }>('/:alias/stats', async (request, reply) => {
    const visit = readVisit(request);
    const link = await findLink(visit);
    const now = clock();
    const periods = statisticsRate.take(visit.address, () =>
      toPeriods(parseKnownParameters(statisticsQuerySchema, request.query), now),
    );
    const statistics = await store.readStatistics({ linkId: link.id });
    const report = toReport(statistics, periods, settings.statistics, publicSiteName);
    const shown = {
      shortUrl: domains.shortUrl(link.alias),
      ...toShown(link, linkStatus(link, now, blocks), now),
    };
    addVary(reply, 'Accept');
    if (wantsJson(request)) {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      const message = 'Visits in the period.';
      return { success: true, message, data: { ...shown, ...report } };
    }
    return sendPage(reply, 'statistics', {
      ...shown,
      shortAddress: dependencies.domains.shortAddress(link.alias),
      host: shown.originalUrl === null ? undefined : hostOf(shown.originalUrl),
      ...toView(report, now, translatorFor(request)),
    });
  });
}

/** What visitors learn of a link that they have not visited. */
function toShown(
  link: Link,
  status: LinkStatus,
  now: number,
): { title: string; originalUrl: string | null } {
  const isSecret = link.passwordHash !== null || (link.startsAt !== null && now < link.startsAt);
  if (isSecret) return { title: '', originalUrl: null };
  // A link that no longer works leads nowhere.
  const isShown = status === 'active' && !hidesTarget(link);
  return { title: link.title, originalUrl: isShown ? link.targetUrl : null };
}

function toView(report: StatisticsReport, now: number, texts: Translator) {
  const { totals, series, unit } = report;
  const isMirrored = texts.direction === 'rtl';
  const top = Math.max(1, ...series.map(({ people }) => people));
  const width = 100 / series.length;
  const labelEvery = Math.ceil(series.length / LABELS_MAX);
  const columns = series.map(({ start, people, uniquePeople }, index) => ({
    // In percent of the chart.
    x: width * (isMirrored ? series.length - 1 - index : index),
    height: (people / top) * 100,
    name: texts.period(start, unit, 'long'),
    label: index % labelEvery === 0 ? texts.period(start, unit, 'short') : undefined,
    people: texts.number(people),
    uniquePeople: texts.number(uniquePeople),
  }));
  const tables = [
    toTable('top_referrers', report.referrers, (key) =>
      key === 'direct' ? texts.t('value_direct') : key,
    ),
    toTable('top_countries', report.countries, (key) => texts.country(key)),
    toTable('top_devices', report.devices, (key) => texts.device(key)),
    toTable('top_browsers', report.browsers, (key) => key),
    toTable('top_systems', report.systems, (key) => key),
  ];

  function toTable(
    title: 'top_referrers' | 'top_countries' | 'top_devices' | 'top_browsers' | 'top_systems',
    values: StatisticsReport['referrers'],
    nameOf: (key: string) => string,
  ) {
    const sum = values.reduce((all, { people }) => all + people, 0);
    const rows = values.slice(0, ROWS_MAX).map(({ key, people }) => ({
      name: key === 'other' || key === 'unknown' ? texts.t(`value_${key}`) : nameOf(key),
      people: texts.number(people),
      percent: (people / sum) * 100,
      share: texts.percent(people / sum),
    }));
    // Without a proxy that names countries, there is nothing to tell.
    const isKnown = values.some(({ key }) => key !== 'unknown');
    return { title: texts.t(title), rows: isKnown ? rows : [] };
  }

  return {
    people: texts.number(totals.people),
    uniquePeople: texts.number(totals.uniquePeople),
    isEmpty: totals.people === 0,
    isRecording: report.isRecording,
    range: texts.range(report.from, report.to, unit),
    top: texts.number(top),
    columnWidth: width,
    columns,
    tables: tables.filter(({ rows }) => rows.length > 0),
    ranges: RANGES.map(([name, length]) => ({
      name: texts.t(name),
      href: length === 'month' ? '?unit=month' : `?from=${dayBefore(now, length - 1)}`,
      isCurrent: length === 'month' ? unit === 'month' : unit === 'day' && series.length === length,
    })),
  };
}

function dayBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10);
}
