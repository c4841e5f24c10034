import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { compare, type Side } from '../compare.ts';
import { aliasOf, fillFolder, newFolder } from '../folders.ts';
import type { Requests } from '../load/generator.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow } from '../table.ts';

export const PLAIN_LINKS = 10_000;
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
export const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const GOAL = '≥ 1.0';

/** Compares every kind of visit with a minimal version in Fastify. */
export async function benchVisits({ generator, plan, report, folders }: Bench): Promise<void> {
  const pathsFolder = folders.add(newFolder());
  let files = 0;
  const get = (paths: string[], userAgent = BROWSER, method: 'GET' | 'HEAD' = 'GET'): Requests => {
    const file = join(pathsFolder, `${files++}`);
    writeFileSync(file, paths.join('\n'));
    return { method, paths: file, userAgent };
  };

  const folder = folders.add(fillFolder(PLAIN_LINKS));
  const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
  const bytesOf = async (path: string) =>
    (await (await fetch(curt.baseUrl + path, { headers: { accept: 'text/html' } })).bytes()).length;
  const first = `/${aliasOf(0)}`;
  const minimal = await Server.start('reference/minimal-visit.ts', [
    `${await bytesOf('/preview')}`,
    `${await bytesOf(`${first}/qr.png`)}`,
  ]);

  async function row(what: string, curtSide: Side, referenceSide: Side, goal = ''): Promise<void> {
    const comparison = await compare(generator, curtSide, referenceSide, plan);
    report(comparisonRow(what, comparison, goal, generator.isFast));
  }

  const shuffled = Array.from({ length: PLAIN_LINKS }, (_, index) => index).sort(
    () => Math.random() - 0.5,
  );
  const ourPaths = shuffled.map((index) => `/${aliasOf(index)}`);
  const theirPaths = shuffled.map((index) => `/plain-${index}`);
  const theirs = { server: minimal, requests: get(theirPaths) };
  await row('redirect', { server: curt, requests: get(ourPaths) }, theirs, GOAL);
  await row('redirect, a bot', { server: curt, requests: get(ourPaths, BOT) }, theirs);
  await row(
    'redirect, HEAD',
    { server: curt, requests: get(ourPaths, BROWSER, 'HEAD') },
    { server: minimal, requests: get(theirPaths, BROWSER, 'HEAD') },
  );
  const pages: [what: string, path: string, reference: string, status: number][] = [
    ['unknown alias', '/unknown', '/unknown', 404],
    ['expired link', '/expired', '/expired', 410],
    ['password form', '/secret', '/page', 200],
    ['preview page', '/preview', '/page', 200],
    ['QR code, PNG', `${first}/qr.png`, '/plain-0/qr.png', 200],
  ];
  for (const [what, path, reference, status] of pages) {
    await checkStatus(curt.baseUrl + path, status);
    await checkStatus(minimal.baseUrl + reference, status);
    const fails = status >= 400;
    await row(
      what,
      { server: curt, requests: get([path]), fails },
      { server: minimal, requests: get([reference]), fails },
    );
  }
  await curt.stop();

  const logs: [what: string, env: Record<string, string>, goal: string][] = [
    ['redirect, LOG_LEVEL=info (default)', {}, '≥ 0.95'],
    ['redirect, LOG_REQUESTS=all', { LOG_REQUESTS: 'all' }, ''],
  ];
  for (const [what, env, goal] of logs) {
    const logging = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, ...env });
    await row(what, { server: logging, requests: get(ourPaths) }, theirs, goal);
    await logging.stop();
  }
  await minimal.stop();
}

/** The generator tells errors from the rest, and no more. */
async function checkStatus(url: string, expected: number): Promise<void> {
  const { status } = await fetch(url, { headers: { 'user-agent': BROWSER } });
  if (status !== expected) throw new Error(`${url} answers ${status}, and not ${expected}`);
}
