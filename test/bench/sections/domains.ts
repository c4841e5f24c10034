import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAdminClient } from '../../../shared/client/admin-methods.ts';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import type { Bench } from '../bench.ts';
import { compare, quantile } from '../compare.ts';
import { aliasOf, fillFolder, newFolder } from '../folders.ts';
import { CURT, Server } from '../servers.ts';
import { comparisonRow, number } from '../table.ts';
import { BOT, PLAIN_LINKS } from './redirects.ts';

const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
const MANY = 10_000;
/** Requests that share a write. */
const TOGETHER = 50;
const LISTS = 9;

const hostOf = (index: number) => `go-${index}.example`;

/** What other domains add to a redirect, and that many of them work. */
export async function benchDomains({ generator, plan, report, folders }: Bench): Promise<void> {
  const pathsFolder = folders.add(newFolder());
  /** The links of a folder whose links are on so many other domains, or on none. */
  const requestsOf = (domains: number) => {
    const paths = join(pathsFolder, `${domains}`);
    const lines = Array.from({ length: PLAIN_LINKS }, (_, index) =>
      domains === 0 ? `/${aliasOf(index)}` : `/${aliasOf(index)} ${hostOf(index % domains)}`,
    );
    writeFileSync(paths, lines.sort(() => Math.random() - 0.5).join('\n'));
    return { method: 'GET', paths, userAgent: BOT } as const;
  };
  const folderOf = (domains: number) =>
    folders.add(
      fillFolder(PLAIN_LINKS, 0, (index) =>
        domains === 0 ? {} : { alias: `${hostOf(index % domains)}/${aliasOf(index)}` },
      ),
    );

  const none = await start(folderOf(0));
  const one = await start(folderOf(0));
  await addDomains(one, 1);
  const thousand = await start(folderOf(1000));
  await addDomains(thousand, 1000);
  const alone = { server: none, requests: requestsOf(0) };
  for (const [what, server, domains, goal] of [
    ['redirect of a bot with one other domain, beside none', one, 0, '≥ 0.99'],
    ['redirect of a bot at any of 1,000 domains, beside none', thousand, 1000, '≥ 0.97'],
  ] as const) {
    const side = { server, requests: requestsOf(domains) };
    const comparison = await compare(generator, side, alone, plan);
    report(comparisonRow(what, comparison, goal, generator.isFast));
  }
  for (const server of [none, one, thousand]) await server.stop();

  const folder = folderOf(0);
  const first = await Server.start('curt-server.ts', [folder], { ADMIN_TOKEN });
  const { openMs: before } = await first.report();
  await addDomains(first, MANY);
  await first.stop();
  const full = await Server.start('curt-server.ts', [folder], { ADMIN_TOKEN });
  const { openMs } = await full.report();
  const times = await timeLists(full);
  const { stallMs } = await full.report();
  await full.stop();
  report({
    what: `open with ${number(MANY)} domains`,
    curt: `${number(openMs)} ms`,
    reference: `with none: ${number(before)} ms`,
    ratio: '',
    goal: '',
  });
  report({
    what: `list ${number(MANY)} domains`,
    curt: `${number(times)} ms, longest stall ${number(stallMs)} ms`,
    reference: '',
    ratio: '',
    goal: '',
  });
}

function start(folder: string): Promise<Server> {
  // With bots, nothing is written about visits, which would cost more per visit the slower the machine is.
  const quiet = { LOG_LEVEL: 'warn', STATISTICS: 'off' };
  return Server.start(CURT, [], { STORE_URL: `file:${folder}`, ADMIN_TOKEN, ...quiet });
}

async function addDomains({ baseUrl }: Server, count: number): Promise<void> {
  const admin = createAdminClient({ baseUrl, token: ADMIN_TOKEN });
  for (let done = 0; done < count; done += TOGETHER) {
    const hosts = Array.from({ length: Math.min(TOGETHER, count - done) }, (_, n) =>
      hostOf(done + n),
    );
    await Promise.all(hosts.map(async (host) => dataOf(await admin.addDomain({ host }))));
  }
}

/** The median time of `GET /api/domains`, in milliseconds. */
async function timeLists({ baseUrl }: Server): Promise<number> {
  const times: number[] = [];
  for (let list = 0; list < LISTS; list++) {
    const begun = performance.now();
    const listed = await createClient({ baseUrl }).listDomains();
    times.push(performance.now() - begun);
    if (!listed.ok || listed.data.length !== MANY + 1) throw new Error('Domains are missing.');
  }
  return quantile(times, 0.5);
}
