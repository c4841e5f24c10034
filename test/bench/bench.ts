import { readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aliasOf, fillFolder, newFolder, TOKEN } from './folders.ts';
import { timePopup } from './popup.ts';
import { load, Server, startScript, stopScripts } from './servers.ts';

/**
 * `npm run bench`: prints a table of what the store does beside what holds it, and how soon the popup
 * is there, measured in the same run. Nothing is asserted. `-- --quick` takes a minute, with fewer
 * links and shorter rounds.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const LINKS = values.quick ? 100_000 : 1_000_000;
const ROUNDS = 3;
const SECONDS = values.quick ? 1 : 5;
const ALIASES = 10_000;
const OPENINGS = 12;

const folders: string[] = [];
const kept = (folder: string) => {
  folders.push(folder);
  return folder;
};
const rows: string[][] = [['what', 'Curt', 'reference', 'ratio', 'goal']];
const number = (value: number) => Math.round(value).toLocaleString('en');
const row = (
  what: string,
  curt: string,
  reference: string,
  ratio: number | undefined,
  goal: string,
) => {
  rows.push([what, curt, reference, ratio === undefined ? '' : ratio.toFixed(2), goal]);
  process.stderr.write(`${what}: ${curt} (${reference}) ${ratio?.toFixed(2) ?? ''}\n`);
};

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Medians of rounds in which one and the other take turns. */
async function alternate<T>(one: () => Promise<T>, other: () => Promise<T>): Promise<[T[], T[]]> {
  const results: [T[], T[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    results[0].push(await one());
    results[1].push(await other());
  }
  return results;
}

const perSecond = (loads: { perSecond: number }[]) => median(loads.map((one) => one.perSecond));

async function benchRedirects(): Promise<void> {
  const aliases = Array.from({ length: ALIASES }, (_, index) => aliasOf(index));
  const paths = aliases.map((alias) => `/${alias}`).sort(() => Math.random() - 0.5);
  const curt = await Server.start('./curt-server.ts', kept(fillFolder(ALIASES)));
  const minimal = await Server.start('./minimal-redirect.ts', JSON.stringify(aliases));
  for (const { baseUrl } of [curt, minimal]) await load(baseUrl, 1, { paths });
  const [ours, theirs] = await alternate(
    () => load(curt.baseUrl, SECONDS, { paths }),
    () => load(minimal.baseUrl, SECONDS, { paths }),
  );
  await Promise.all([curt.stop(), minimal.stop()]);
  const [one, other] = [perSecond(ours), perSecond(theirs)];
  row(
    'redirects/s, hits counted',
    number(one),
    `minimal Fastify ${number(other)}`,
    one / other,
    '≥ 0.85',
  );
}

async function benchCreates(): Promise<void> {
  for (const [name, token] of [
    ['anonymous', undefined],
    ['with a token', TOKEN],
  ] as const) {
    const curt = await Server.start('./curt-server.ts', kept(fillFolder(1)));
    const minimal = await Server.start('./minimal-create.ts', kept(newFolder()));
    const options = token === undefined ? {} : { token };
    for (const { baseUrl } of [curt, minimal]) await load(baseUrl, 1, options);
    const [ours, theirs] = await alternate(
      () => load(curt.baseUrl, SECONDS, options),
      () => load(minimal.baseUrl, SECONDS, {}),
    );
    await Promise.all([curt.stop(), minimal.stop()]);
    const [one, other] = [perSecond(ours), perSecond(theirs)];
    row(
      `durable creates/s, ${name}`,
      number(one),
      `minimal durable create ${number(other)}`,
      one / other,
      '≥ 0.6',
    );
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function benchSize(): Promise<void> {
  const largeFolder = kept(fillFolder(LINKS));
  const journal = join(largeFolder, 'journal-000001.jsonl');
  const emptyFolder = kept(fillFolder(1));
  const opens: number[] = [];
  const parses: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const large = await Server.start('./curt-server.ts', largeFolder);
    const empty = await Server.start('./curt-server.ts', emptyFolder);
    const { openMs, rssBytes } = await large.report();
    opens.push(openMs);
    memory.push((rssBytes - (await empty.report()).rssBytes) / LINKS);
    await Promise.all([large.stop(), empty.stop()]);
    parses.push(Number((await startScript('./parse-alone.ts', journal)).message));
  }
  const [open, parse] = [median(opens), median(parses)];
  row(
    `open with ${number(LINKS)} links`,
    `${number(open)} ms`,
    `parsing alone ${number(parse)} ms`,
    open / parse,
    '≤ 3 s, ≤ 1.5',
  );
  row('memory', `${number(median(memory))} bytes a link`, 'empty server', undefined, '≤ 400');

  const large = await Server.start('./curt-server.ts', largeFolder);
  const empty = await Server.start('./curt-server.ts', emptyFolder);
  for (const { baseUrl } of [large, empty]) await load(baseUrl, 1, { token: TOKEN });
  const [atSize, atZero] = await alternate(
    () => load(large.baseUrl, SECONDS, { token: TOKEN }),
    () => load(empty.baseUrl, SECONDS, { token: TOKEN }),
  );
  await Promise.all([large.stop(), empty.stop()]);
  const [one, other] = [perSecond(atSize), perSecond(atZero)];
  row(
    `creates/s at ${number(LINKS)} links`,
    number(one),
    `empty ${number(other)}`,
    one / other,
    '≥ 0.9',
  );
  const [p99, p99Empty] = [atSize, atZero].map((loads) => median(loads.map((l) => l.p99Ms)));
  row(
    `p99 at ${number(LINKS)} links`,
    `${p99} ms`,
    `empty ${p99Empty} ms`,
    (p99 ?? 0) / (p99Empty ?? 1),
    '≤ 1.5',
  );
}

/** Half of what the folder holds is waste, so that the first create begins a compaction. */
async function benchCompaction(): Promise<void> {
  const folder = kept(fillFolder(LINKS, 350));
  const before = bytesIn(folder);
  const curt = await Server.start('./curt-server.ts', folder);
  const stalls: number[] = [];
  await curt.report();
  let isRunning = true;
  let answers = 0;
  const working = (async () => {
    while (isRunning) answers += (await load(curt.baseUrl, 2, { token: TOKEN })).answers;
  })();
  // Should it fail, the `await` below throws; until then nobody listens, and Node would end this process.
  working.catch(() => undefined);
  const snapshot = join(folder, 'snapshot-000002.jsonl');
  const start = performance.now();
  while (!statSync(snapshot, { throwIfNoEntry: false })) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    stalls.push((await curt.report()).stallMs);
    if (performance.now() - start > 120_000) throw new Error('no compaction came');
  }
  const seconds = (performance.now() - start) / 1000;
  isRunning = false;
  await working;
  await curt.stop();
  row(
    `longest stall, ${number(LINKS)} links compacted under load`,
    `${number(Math.max(...stalls))} ms`,
    `in ${seconds.toFixed(1)} s`,
    undefined,
    '≤ 50 ms',
  );
  const written = bytesIn(folder) - before;
  row(
    'bytes written for one create during it',
    number((written - statSync(snapshot).size) / answers),
    'its line, without the snapshot',
    undefined,
    '',
  );
}

async function benchDisk(): Promise<void> {
  const folder = kept(fillFolder(1));
  const curt = await Server.start('./curt-server.ts', folder);
  const before = bytesIn(folder);
  const { answers } = await load(curt.baseUrl, SECONDS, { token: TOKEN });
  await curt.stop();
  const bytes = (bytesIn(folder) - before) / answers;
  const line =
    '{"batch":1234567,"link":{"id":"0123456789abcdef","alias":"2345678","accountId":"the-only-account","originalUrl":"","created":1234567890123},"crc":"01234567"}\n';
  const lineBytes = line.length + `https://example.com/${'p'.repeat(64)}`.length;
  row(
    'disk written for one create',
    `${number(bytes)} bytes`,
    `its line ${lineBytes}`,
    bytes / lineBytes,
    '≤ 1.5',
  );
}

async function benchPopup(): Promise<void> {
  const times = await timePopup(OPENINGS);
  const [content, bareContent] = [median(times.firstContent), median(times.bareFirstContent)];
  row(
    'popup opened → first content',
    `${number(content)} ms`,
    `a popup of one word ${number(bareContent)} ms`,
    content / bareContent,
    '≤ 50 ms',
  );
  const [copied, bareShown] = [median(times.copied), median(times.bareShown)];
  row(
    'click on the button → short link copied',
    `${number(copied)} ms`,
    `a popup of one word shown ${number(bareShown)} ms`,
    copied / bareShown,
    '≤ 150 ms',
  );
}

try {
  await benchPopup();
  await benchRedirects();
  await benchCreates();
  await benchDisk();
  await benchSize();
  await benchCompaction();
} finally {
  await stopScripts();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
process.stdout.write(
  `Node ${process.version}, ${availableParallelism()} cores, 64 connections, medians of ${ROUNDS} rounds of ${SECONDS} s\n\n` +
    [head, '|---|---|---|---|---|', ...body].join('\n') +
    '\n',
);
