import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { compare, quantile } from '../compare.ts';
import { aliasOf, fillFolder, newFolder, TOKEN } from '../folders.ts';
import { load, type Requests } from '../load/wrk.ts';
import { Server } from '../servers.ts';
import { comparisonRow, number } from '../table.ts';

const OPENINGS = 3;
const COMPACTION_TIMEOUT_MS = 120_000;
const CREATE: Requests = { method: 'POST', token: TOKEN, kind: 'plain' };

const start = (folder: string) => Server.start('curt-server.ts', [folder], { LOG_LEVEL: 'warn' });
const median = (values: number[]) => quantile(values, 0.5);

/** Compares a full store with an empty one: opening, memory and cost per request. */
export async function benchSize(bench: Bench): Promise<void> {
  const { plan, report, folders, links } = bench;
  const largeFolder = folders.add(fillFolder(links));
  const emptyFolder = folders.add(fillFolder(1000));
  await benchOpening(bench, largeFolder, emptyFolder);

  const large = await start(largeFolder);
  const empty = await start(emptyFolder);
  // The first change starts the first snapshot, which is not what is measured here.
  await load(large.baseUrl, CREATE, { seconds: 1, connections: 1 });
  await untilCompacted(largeFolder);
  const pathsFolder = folders.add(newFolder());
  const visit = (name: string, indexes: number[]): Requests => {
    const paths = join(pathsFolder, name);
    writeFileSync(paths, indexes.map((index) => `/${aliasOf(index)}`).join('\n'));
    return { method: 'GET', paths, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0' };
  };
  const some = Array.from({ length: 100_000 }, () => Math.floor(Math.random() * links));
  const redirects = await compare(
    { server: large, requests: visit('large', some) },
    {
      server: empty,
      requests: visit(
        'empty',
        some.map((index) => index % 1000),
      ),
    },
    plan,
  );
  report(
    comparisonRow(
      `redirect, any of ${number(links)} links, beside 1,000 links`,
      redirects,
      '≥ 0.9',
    ),
  );
  const creates = await compare(
    { server: large, requests: CREATE },
    { server: empty, requests: CREATE },
    plan,
  );
  report(comparisonRow(`create with ${number(links)} links, beside 1,000 links`, creates, '≥ 0.9'));
  const [p99, p99Empty] = [creates.curt.p99Ms, creates.reference.p99Ms];
  report({
    what: 'p99 of these creates',
    curt: `${p99.toFixed(1)} ms`,
    reference: `${p99Empty.toFixed(1)} ms`,
    ratio: (p99 / p99Empty).toFixed(2),
    goal: '≤ 1.5',
  });
  await Promise.all([large.stop(), empty.stop()]);
}

async function benchOpening({ report, links }: Bench, largeFolder: string, emptyFolder: string) {
  const opens: number[] = [];
  const parses: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < OPENINGS; round++) {
    const large = await start(largeFolder);
    const empty = await start(emptyFolder);
    const { openMs, rssBytes } = await large.report();
    opens.push(openMs);
    memory.push((rssBytes - (await empty.report()).rssBytes) / links);
    await Promise.all([large.stop(), empty.stop()]);
    parses.push(await parseAlone(join(largeFolder, 'journal-000001.jsonl')));
  }
  report({
    what: `open ${number(links)} links`,
    curt: `${number(median(opens))} ms`,
    reference: `JSON.parse alone: ${number(median(parses))} ms`,
    ratio: (median(opens) / median(parses)).toFixed(2),
    goal: '≤ 5 s',
  });
  report({
    what: 'memory',
    curt: `${number(median(memory))} bytes a link`,
    reference: '',
    ratio: '',
    goal: '≤ 550',
  });
}

async function parseAlone(journal: string): Promise<number> {
  const child = fork(new URL('../reference/parse-alone.ts', import.meta.url), [journal]);
  try {
    const [milliseconds] = await once(child, 'message');
    return milliseconds;
  } finally {
    child.kill();
  }
}

/** Half of the folder is waste, so that the first create starts a compaction. */
export async function benchCompaction({ report, folders, links }: Bench): Promise<void> {
  const folder = folders.add(fillFolder(links, 350));
  const curt = await start(folder);
  const stalls: number[] = [];
  await curt.report();
  let isRunning = true;
  const options = { seconds: 2, connections: 64 };
  const loading = (async () => {
    while (isRunning) {
      await load(curt.baseUrl, CREATE, options);
    }
  })();
  const startedAt = performance.now();
  await untilCompacted(folder, async () => {
    stalls.push((await curt.report()).stallMs);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  isRunning = false;
  await loading;
  await curt.stop();
  report({
    what: `longest stall while ${number(links)} links are compacted under load`,
    curt: `${number(Math.max(...stalls))} ms`,
    reference: `in ${seconds.toFixed(1)} s`,
    ratio: '',
    goal: '≤ 25 ms',
  });
}

/** Waits for the snapshot that the first change of a new folder starts. */
async function untilCompacted(folder: string, meanwhile = async () => {}): Promise<void> {
  const end = performance.now() + COMPACTION_TIMEOUT_MS;
  while (performance.now() < end) {
    if (existsSync(join(folder, 'snapshot-000002.jsonl'))) return;
    await setTimeout(100);
    await meanwhile();
  }
  throw new Error('no compaction');
}
