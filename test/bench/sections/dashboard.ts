import { DASHBOARD_FOLDER } from '../../../server/lib/shipped-files.ts';
import { launchChromium } from '../../e2e/support/browser/chromium.ts';
import { buildDashboard } from '../../e2e/support/setup/build-dashboard.ts';
import { findOrInstallBrowser } from '../../e2e/support/setup/find-browser.ts';
import type { Bench } from '../bench.ts';
import { quantile } from '../compare.ts';
import { buildEmptyPage } from '../dashboard/build-empty-page.ts';
import { type LoadTimes, timeLoad } from '../dashboard/page-loads.ts';
import { fillFolder, newFolder, TOKEN } from '../folders.ts';
import { Server } from '../servers.ts';
import { type Row, ratioText } from '../table.ts';

const LINKS = 10_000;
const WARM_UPS = 2;
const LOADS = 15;
const SCRIPT = 'dashboard/dashboard-server.ts';
const DASHBOARD_READY = { token: TOKEN, selector: '.row' };
const EMPTY_READY = { token: TOKEN, selector: 'button' };

/** The dashboard with 10,000 links, and the smallest Preact page, built and served in the same way. */
export async function benchDashboard({ plan, report, folders }: Bench): Promise<void> {
  const executablePath = await findOrInstallBrowser('chromium');
  const emptyFolder = folders.add(newFolder());
  await buildDashboard();
  await buildEmptyPage(emptyFolder);
  const describe = (number: number) => ({ title: `Page ${number} of the benchmark` });
  const data = () => folders.add(fillFolder(LINKS, 0, describe));
  const env = { LOG_LEVEL: 'warn' };
  const curt = await Server.start(SCRIPT, [data(), DASHBOARD_FOLDER], env);
  const empty = await Server.start(SCRIPT, [data(), emptyFolder], env);
  const urls = { curt: `${curt.baseUrl}/dashboard`, empty: `${empty.baseUrl}/dashboard` };
  const chromium = await launchChromium({ executablePath });
  const rounds = plan.rounds < 9 ? 3 : LOADS;
  try {
    const loads: [LoadTimes, LoadTimes][] = [];
    for (let round = -WARM_UPS; round < rounds; round++) {
      const one = await timeLoad(chromium.browser, urls.curt, DASHBOARD_READY);
      const other = await timeLoad(chromium.browser, urls.empty, EMPTY_READY);
      if (round >= 0) loads.push([one, other]);
    }
    report(row('dashboard opened → first content', loads, 'firstContentMs'));
    report(row('dashboard opened → list of links ready', loads, 'interactiveMs'));
  } finally {
    await chromium.close();
    await Promise.all([curt.stop(), empty.stop()]);
  }
}

/** Medians of the rounds, and the median and interquartile range of their ratios. */
function row<T extends Record<K, number>, K extends string>(
  what: string,
  pairs: [T, T][],
  key: K,
): Row {
  const median = (values: number[]) => quantile(values, 0.5);
  const ratios = pairs.map(([ours, theirs]) => ours[key] / theirs[key]);
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / median(ratios);
  const cell = (index: 0 | 1) => `${median(pairs.map((pair) => pair[index][key])).toFixed(1)} ms`;
  return {
    what,
    curt: cell(0),
    reference: `empty page: ${cell(1)}`,
    ratio: ratioText(median(ratios), spread),
    goal: '',
  };
}
