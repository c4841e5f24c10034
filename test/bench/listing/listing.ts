import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from '../bench.ts';
import { quantile } from '../compare.ts';
import { ACCOUNT_ID, fillFolder } from '../folders.ts';
import { number } from '../table.ts';
import { describeLink } from './described-links.ts';
import type { ListReport } from './list-links.ts';
import { benchSparklines } from './sparklines.ts';

/** Of `LinkTable` and `AccountTable`, which have it before the first list. */
const CHAIN_BYTES = 4;

/** Lists pages of 50 links out of all links of one account, from the start and from within. */
export async function benchListing(bench: Bench): Promise<void> {
  const { report, folders, links } = bench;
  await benchSparklines(bench);
  const folder = folders.add(fillFolder(links, 0, describeLink));
  const { lists, idleStallMs, bytesPerLink } = await listLinks(folder, links);
  for (const { what, firstMs, timesMs, stallMs } of lists) {
    report({
      what: `a page of 50 out of ${number(links)}: ${what}`,
      curt: `p50 ${quantile(timesMs, 0.5).toFixed(1)} ms, p99 ${quantile(timesMs, 0.99).toFixed(1)} ms, longest stall ${stallMs.toFixed(1)} ms`,
      reference: `the very first page: ${number(firstMs)} ms; stall of a busy loop: ${idleStallMs.toFixed(1)} ms`,
      ratio: '',
      goal: 'p99 ≤ 100 ms, stall ≤ 50 ms',
    });
  }
  report({
    what: 'index of these lists',
    curt: `${(bytesPerLink + CHAIN_BYTES).toFixed(1)} bytes a link`,
    reference: `${CHAIN_BYTES} before the first list`,
    ratio: '',
    goal: '≤ 60',
  });
}

async function listLinks(folder: string, links: number): Promise<ListReport> {
  const program = new URL('./list-links.ts', import.meta.url);
  const child = fork(program, [folder, ACCOUNT_ID, String(links)], { execArgv: ['--expose-gc'] });
  try {
    const [report] = await once(child, 'message');
    return report;
  } finally {
    child.kill();
  }
}
