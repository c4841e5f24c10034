import { linkAt } from '../../../shared/links/link-address.ts';
import type {
  LinkStatistics,
  StatisticsReport,
  StatisticsUnit,
} from '../../../shared/statistics.ts';
import { connectWithToken, type ServerOptions } from '../api/connect.ts';
import { succeed, usageError } from '../cli-error.ts';
import { type CurtCommand, withoutUndefined } from '../command.ts';
import type { Context } from '../context.ts';
import { toLocalTime, toSparkline, toTable } from '../terminal/output.ts';
import { toOwnAlias } from './which-links.ts';

type StatsOptions = ServerOptions & {
  from?: string;
  to?: string;
  unit?: StatisticsUnit;
  timeZone?: string;
  bots?: boolean;
  tag?: string;
};

type Report = StatisticsReport & Partial<LinkStatistics>;

const KINDS = ['targets', 'referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
/** Values of each kind. All are in the JSON. */
const VALUES_SHOWN = 5;

export function addStats(program: CurtCommand, context: Context): void {
  program
    .command('stats')
    .description('show visits and visitors of a link, or of all your links')
    .argument('[link]', 'alias or short URL')
    .serverOption()
    .option('--from <date>', 'first day or time, such as 2030-01-31')
    .option('--to <date>', 'last day or time')
    .choiceOption('--unit <unit>', 'length of a period', ['hour', 'day', 'month'])
    .option('--time-zone <name>', 'time zone of the periods, such as Europe/Berlin (default: UTC)')
    .option('--tag <tag>', 'only the links that have this tag now')
    .option('--bots', 'also show previews and bots')
    .examples(
      'curt stats launch',
      'curt stats --from 2030-01-01 --unit month --time-zone Europe/Berlin',
      'curt stats --tag spring-sale',
      'curt stats launch --json | jq .data.totals',
    )
    .action((link: string | undefined, options: StatsOptions) => stats(context, link, options));
}

async function stats(context: Context, link: string | undefined, options: StatsOptions) {
  const connection = await connectWithToken(context, options);
  const { client } = connection;
  const { from, to, unit, timeZone, tag } = options;
  if (link !== undefined && tag !== undefined) {
    throw usageError('Name a link or a tag, not both.');
  }
  const query = withoutUndefined({ from, to, unit, timeZone });
  const { data } = succeed<Report>(
    await (link === undefined
      ? client.getStatistics({ ...withoutUndefined({ ...query, tag }) })
      : client.getLinkStatistics({ ...linkAt(await toOwnAlias(link, connection)), ...query })),
  );
  context.output.result(data, toLines(data, options.bots));
}

function toLines(report: Report, showsBots = false): string[] {
  const columns = showsBots ? 5 : 3;
  const periods = report.series.filter(
    ({ people, previews, bots }) => people + (showsBots ? previews + bots : 0) > 0,
  );
  const startOf = ({ start }: { start: string }) =>
    toLocalTime(start, report.unit, report.timeZone);
  const rows = [
    ...periods.map((period) => ({ ...period, start: startOf(period) })),
    { start: 'total', ...report.totals },
  ];
  const counts = toTable([
    [report.unit.toUpperCase(), 'VISITS', 'VISITORS', 'PREVIEWS', 'BOTS'].slice(0, columns),
    ...rows.map(({ start, people, uniquePeople, previews, bots }) =>
      [start, ...[people, uniquePeople, previews, bots].map(String)].slice(0, columns),
    ),
  ]);
  const [first] = report.series;
  if (process.stdout.isTTY && first && report.totals.people > 0) {
    const days = report.series.map(({ people }) => people);
    counts.unshift(`${startOf(first)} ${toSparkline(days)} now`, '');
  }
  const values = KINDS.flatMap((kind) =>
    (report[kind] ?? [])
      .slice(0, VALUES_SHOWN)
      .map(({ key, people }) => [kind, key, String(people)]),
  );
  if (report.series.some(({ people, uniquePeople }) => people > 0 && uniquePeople === 0)) {
    counts.push('', 'A visitor counts once a day (UTC), with the first visit.');
  }
  if (values.length === 0) return counts;
  return [...counts, '', ...toTable([['KIND', 'VALUE', 'VISITS'], ...values])];
}
