import { rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Plan } from './compare.ts';
import { quantile } from './compare.ts';
import { benchListing } from './listing/listing.ts';
import { benchCreates } from './sections/creates.ts';
import { benchDashboard } from './sections/dashboard.ts';
import { timePopup } from './sections/popup.ts';
import { benchPostgres } from './sections/postgres.ts';
import { benchVisits } from './sections/redirects.ts';
import { benchRules } from './sections/rules.ts';
import { benchCompaction, benchSize } from './sections/size.ts';
import { benchStatistics } from './sections/statistics.ts';
import { stopServers } from './servers.ts';
import { markdown, number, type Row } from './table.ts';

/**
 * `npm run bench`: prints a table that compares Curt with minimal programs that use the same tools,
 * measured in the same run. It asserts nothing. `-- --quick` uses fewer links and openings and shorter rounds,
 * `-- --only visits,creates` runs only some sections.
 */
export type Bench = {
  plan: Plan;
  /** Number of links in a full store. */
  links: number;
  report: (row: Row) => void;
  folders: Folders;
};

/** Temporary folders, removed at the end. */
class Folders {
  readonly #paths: string[] = [];

  add(path: string): string {
    this.#paths.push(path);
    return path;
  }

  remove(): void {
    for (const path of this.#paths) rmSync(path, { recursive: true, force: true });
  }
}

const SECTIONS: Record<string, (bench: Bench) => Promise<void>> = {
  popup: benchPopup,
  dashboard: benchDashboard,
  visits: benchVisits,
  rules: benchRules,
  statistics: benchStatistics,
  creates: benchCreates,
  size: benchSize,
  compaction: benchCompaction,
  listing: benchListing,
  postgres: benchPostgres,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(SECTIONS).join(',') },
  },
});
const sections = values.only.split(',').map((name) => {
  const section = SECTIONS[name];
  if (section) return section;
  throw new Error(`There is no section "${name}". Choose of ${Object.keys(SECTIONS).join(', ')}.`);
});

const plan = values.quick ? { rounds: 3, seconds: 1 } : { rounds: 9, seconds: 2 };
const folders = new Folders();
const rows: Row[] = [];
const report = (row: Row) => {
  rows.push(row);
  process.stderr.write(`${row.what}: ${row.curt} (${row.reference}) ${row.ratio}\n`);
};

async function benchPopup({ report }: Bench): Promise<void> {
  const times = await timePopup(values.quick ? 8 : 24);
  const median = (values: number[]) => quantile(values, 0.5);
  const [content, bareContent] = [median(times.firstContent), median(times.bareFirstContent)];
  report({
    what: 'popup opened → first content',
    curt: `${number(content)} ms`,
    reference: `popup of one word: ${number(bareContent)} ms`,
    ratio: (content / bareContent).toFixed(2),
    goal: '≤ 1.35',
  });
  const bareShown = median(times.bareShown);
  const reportCopied = (condition: string, copied: number, goal = '') =>
    report({
      what: `click on the button → short link copied${condition}`,
      curt: `${number(copied)} ms`,
      reference: `popup of one word shown: ${number(bareShown)} ms`,
      ratio: (copied / bareShown).toFixed(2),
      goal,
    });
  reportCopied('', median(times.copied), '≤ 1.6');
  reportCopied(', worker stopped before', median(times.copiedStopped), '≤ 2.5');
  reportCopied(', server 50 ms away', median(times.copiedDistant));
}

async function cleanUp(): Promise<void> {
  await stopServers();
  folders.remove();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
}
try {
  const links = values.quick ? 100_000 : 1_000_000;
  for (const section of sections) await section({ plan, links, report, folders });
} finally {
  await cleanUp();
}
process.stdout.write(`
Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown CPU'}, wrk, 64 connections,
${plan.rounds} rounds of ${plan.seconds} s for each server in turn. CPU time per request of the server process; ratio: reference / Curt, above 1 Curt is cheaper.
${markdown(rows)}
`);
