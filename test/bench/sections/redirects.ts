import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { compare, type Side } from '../compare.ts';
import { aliasOf, fillFolder, newFolder } from '../folders.ts';
import type { Requests } from '../load/wrk.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow } from '../table.ts';

export const PLAIN_LINKS = 10_000;
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const GOAL = '≥ 0.8';

/** Compares visits with a minimal version in Fastify. */
export async function benchVisits({ plan, report, folders }: Bench): Promise<void> {
  const pathsFolder = folders.add(newFolder());
  let files = 0;
  const get = (paths: string[]): Requests => {
    const file = join(pathsFolder, `${files++}`);
    writeFileSync(file, paths.join('\n'));
    return { method: 'GET', paths: file, userAgent: BROWSER };
  };

  const folder = folders.add(fillFolder(PLAIN_LINKS));
  const curt = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
  const headers = { accept: 'text/html' };
  const preview = await (await fetch(`${curt.baseUrl}/preview`, { headers })).bytes();
  const minimal = await Server.start('reference/minimal-visit.ts', [`${preview.length}`]);

  async function row(what: string, curtSide: Side, referenceSide: Side, goal = ''): Promise<void> {
    const comparison = await compare(curtSide, referenceSide, plan);
    report(comparisonRow(what, comparison, goal));
  }

  const shuffled = Array.from({ length: PLAIN_LINKS }, (_, index) => index).sort(
    () => Math.random() - 0.5,
  );
  const ours = get(shuffled.map((index) => `/${aliasOf(index)}`));
  const theirs = { server: minimal, requests: get(shuffled.map((index) => `/plain-${index}`)) };
  await row('redirect', { server: curt, requests: ours }, theirs, GOAL);
  const page = { server: minimal, requests: get(['/page']) };
  await row('password form', { server: curt, requests: get(['/secret']) }, page);
  await row('preview page', { server: curt, requests: get(['/preview']) }, page);
  await curt.stop();

  const logging = await Server.start(CURT, [], { STORE_URL: `file:${folder}` });
  await row(
    'redirect, LOG_LEVEL=info (default)',
    { server: logging, requests: ours },
    theirs,
    GOAL,
  );
  await logging.stop();
  await minimal.stop();
}
