import { execFile } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { copyStore } from '../../../server/store/tools/copy.ts';
import { createClient } from '../../../shared/client.ts';
import { type Cluster, startCluster } from '../../postgres/support/cluster.ts';
import type { Bench } from '../bench.ts';
import { CONNECTIONS, compare, quantile } from '../compare.ts';
import { aliasOf, fillFolder, newFolder, TOKEN } from '../folders.ts';
import { type Load, load, type Requests } from '../load/wrk.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow, number } from '../table.ts';
import { BROWSER, PLAIN_LINKS } from './redirects.ts';

const run = promisify(execFile);

/** Few, so that times are those of requests and not of a queue. */
const FEW_CONNECTIONS = 8;
/** As many as a server has by default. */
const PGBENCH_CONNECTIONS = 10;
/** Different aliases that are visited, far more than a server caches. */
const COLD_LINKS = 500_000;
/** As many as there are connections, so that no two creates of an account can share a transaction. */
const ACCOUNTS = CONNECTIONS;
const CREATE: Requests = { method: 'POST', token: TOKEN, kind: 'plain' };

/** Compares the PostgreSQL store with the JSON-file store and with pgbench. */
export async function benchPostgres(bench: Bench): Promise<void> {
  // As in production: a commit is on disk before it is confirmed.
  const cluster = await startCluster({ durable: true, settings: ['shared_buffers=512MB'] });
  try {
    const folder = bench.folders.add(fillFolder(PLAIN_LINKS));
    const database = cluster.url('postgres');
    await copyInto(database, folder);
    await benchRedirects(bench, folder, database);
    await benchCreates(bench, database);
    await benchSize(bench, cluster);
  } finally {
    await cluster.remove();
  }
}

async function copyInto(database: string, folder: string): Promise<void> {
  await copyStore(`file:${folder}`, database, { now: Date.now() });
}

async function fillDatabase({ folders }: Bench, cluster: Cluster, name: string, links: number) {
  const url = cluster.url(name);
  await query(cluster.url('postgres'), `CREATE DATABASE ${name}`);
  await copyInto(url, folders.add(fillFolder(links)));
  // So that the database does nothing of that while it is measured.
  await query(url, 'VACUUM ANALYZE');
  await query(url, 'CHECKPOINT');
  return url;
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

function serve(storeUrl: string): Promise<Server> {
  return Server.start(CURT, [], { STORE_URL: storeUrl, LOG_LEVEL: 'warn' });
}

/** Visits of random links. */
function visits(bench: Bench, count: number, links: number): Requests {
  return pathsOf(bench, count, () => `/${aliasOf(Math.floor(Math.random() * links))}`);
}

function pathsOf({ folders }: Bench, count: number, path: () => string): Requests {
  const file = join(folders.add(newFolder()), 'paths');
  writeFileSync(file, Array.from({ length: count }, path).join('\n'));
  return { method: 'GET', paths: file, userAgent: BROWSER };
}

async function benchRedirects(bench: Bench, folder: string, database: string): Promise<void> {
  const requests = visits(bench, 3 * PLAIN_LINKS, PLAIN_LINKS);
  const [postgres, json] = [await serve(database), await serve(`file:${folder}`)];
  for (const server of [postgres, json]) await visitAll(server, PLAIN_LINKS);
  const comparison = await compare(
    { server: postgres, requests },
    { server: json, requests },
    bench.plan,
  );
  await Promise.all([postgres.stop(), json.stop()]);
  const what = 'PostgreSQL: redirect, warm cache, beside the JSON-file store';
  bench.report(comparisonRow(what, comparison, '≥ 0.83'));
}

/** So that the server has all links in memory. */
async function visitAll({ baseUrl }: Server, links: number): Promise<void> {
  let next = 0;
  const visitRest = async () => {
    while (next < links) {
      const { status } = await fetch(`${baseUrl}/${aliasOf(next++)}`, { redirect: 'manual' });
      if (status !== 302) throw new Error(`A link answered with status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visitRest));
}

/** Creates of one server for one account and for many, and pgbench with the same statement, in turn. */
async function benchCreates(bench: Bench, database: string): Promise<void> {
  const pgbench = preparePgbench(bench, database);
  const server = await serve(database);
  const ofMany: Requests = { method: 'POST', token: await newTokens(server), kind: 'plain' };
  const [ofOne, ofAll, references]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < bench.plan.rounds; round++) {
    ofOne.push(rateOf(await loadFor(bench, server, CREATE)));
    if (pgbench) references.push(await pgbench());
    ofAll.push(rateOf(await loadFor(bench, server, ofMany)));
  }
  await server.stop();
  const reference = quantile(references, 0.5);
  for (const [what, rates, goal] of [
    ['one account', ofOne, '≥ 0.3'],
    [`${ACCOUNTS} accounts`, ofAll, '≥ 0.15'],
  ] as const) {
    const rate = quantile(rates, 0.5);
    bench.report({
      what: `PostgreSQL: durable creates, ${what}`,
      curt: `${number(rate)}/s`,
      reference: pgbench ? `pgbench: ${number(reference)}/s` : '',
      ratio: pgbench ? (rate / reference).toFixed(2) : '',
      goal,
    });
  }
}

/** @returns those of new accounts, separated by commas */
async function newTokens({ baseUrl }: Server): Promise<string> {
  const client = createClient({ baseUrl });
  const created = await Promise.all(
    Array.from({ length: ACCOUNTS }, () =>
      client.createLink({ body: { originalUrl: 'https://example.com/' } }),
    ),
  );
  return created.map((result) => (result.ok ? result.data.authToken : '')).join();
}

function loadFor(
  { plan }: Bench,
  server: Server,
  requests: Requests,
  connections = CONNECTIONS,
): Promise<Load> {
  return load(server.baseUrl, requests, { seconds: plan.seconds, connections });
}

function rateOf({ answers, seconds }: Load): number {
  return answers / seconds;
}

/** @returns a round of pgbench, creates per second; undefined without pgbench */
function preparePgbench({ folders, plan }: Bench, database: string) {
  const [program] = globSync('/usr/lib/postgresql/*/bin/pgbench');
  if (!program) {
    process.stderr.write('pgbench is missing: install postgresql-contrib to compare with it.\n');
    return undefined;
  }
  const link = JSON.stringify({
    alias: 'b#',
    accountId: 'bench',
    originalUrl: 'https://example.com/',
  });
  const script = join(folders.add(newFolder()), 'create.sql');
  writeFileSync(
    script,
    `\\set random random(1, 1000000000000)
WITH account AS (
  INSERT INTO accounts AS a (id, total, quotas) VALUES ('bench-' || :client_id, 1, '{"1": 1}')
  ON CONFLICT (id) DO UPDATE SET total = a.total + 1,
    quotas = jsonb_set(a.quotas, '{1}', to_jsonb((a.quotas->>'1')::bigint + 1))
), link AS (
  INSERT INTO links (id, account_id, created, hits, link, reversed_host, alias_order, search_text, tags)
  VALUES ('i' || :random, 'bench-' || :client_id, 1, 0, replace('${link}', '#', :random::text)::json,
    'com.example.', '', 'https://example.com/', '{}')
) INSERT INTO aliases (key, account_id, link_id)
VALUES ('b' || :random, 'bench-' || :client_id, 'i' || :random);
`,
  );
  return async () => {
    const { stdout } = await run(program, [
      '--no-vacuum',
      `--client=${PGBENCH_CONNECTIONS}`,
      '--jobs=2',
      `--time=${Math.max(2, plan.seconds)}`,
      `--file=${script}`,
      database,
    ]);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  };
}

/** Creates and look-ups with few and with many links. */
async function benchSize(bench: Bench, cluster: Cluster): Promise<void> {
  const small = await fillDatabase(bench, cluster, 'curt_small', PLAIN_LINKS);
  const full = await fillDatabase(bench, cluster, 'curt_full', bench.links);
  const servers = [await serve(full), await serve(small)];
  const unknown = pathsOf(bench, COLD_LINKS, () => `/${Math.random().toString(36).slice(2)}`);
  const kinds: [what: string, requests: Requests][] = [
    ['create', CREATE],
    ['look-up of an unknown alias', unknown],
  ];
  for (const [what, requests] of kinds) {
    const times: [full: number[], small: number[]] = [[], []];
    for (let round = 0; round < bench.plan.rounds; round++) {
      for (const [index, server] of servers.entries()) {
        const { p99Ms } = await loadFor(bench, server, requests, FEW_CONNECTIONS);
        times[index]?.push(p99Ms);
      }
    }
    const [ours, theirs] = times.map((all) => quantile(all, 0.5)) as [number, number];
    bench.report({
      what: `PostgreSQL: p99 of a ${what}, ${number(bench.links)} links`,
      curt: `${ours.toFixed(1)} ms`,
      reference: `${number(PLAIN_LINKS)} links: ${theirs.toFixed(1)} ms`,
      ratio: (ours / theirs).toFixed(2),
      goal: '≤ 1.2',
    });
  }
  await Promise.all(servers.map((server) => server.stop()));
}
