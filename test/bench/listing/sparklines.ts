import { HOUR_MS } from '../../../server/lib/time.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import { LIST_LIMIT_DEFAULT, VISITS_DAYS } from '../../../shared/bounds.ts';
import type { Bench } from '../bench.ts';
import { quantile } from '../compare.ts';
import { ACCOUNT_ID, fillFolder, TOKEN } from '../folders.ts';
import { CURT, Server } from '../servers.ts';
import { ratioText } from '../table.ts';

const LINKS = 1000;
const REQUESTS = 1000;
const WARM_UPS = 3;

/** What the line of 30 days adds to the CPU time of a page of links, all of which have visitors. */
export async function benchSparklines({ report, folders, plan }: Bench): Promise<void> {
  const folder = folders.add(fillFolder(LINKS));
  await addVisits(folder);
  const server = await Server.start(CURT, [], { STORE_URL: `file:${folder}`, LOG_LEVEL: 'warn' });
  const [lines, plain, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let round = -WARM_UPS; round < plan.rounds; round++) {
    const one = await cpuOf(server, '/api/links?include=visits30');
    const other = await cpuOf(server, '/api/links');
    if (round < 0) continue;
    lines.push(one);
    plain.push(other);
    ratios.push(one / other);
  }
  await server.stop();
  const median = (values: number[]) => quantile(values, 0.5);
  const spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / median(ratios);
  report({
    what: `a page of ${LIST_LIMIT_DEFAULT} with the visitors of ${VISITS_DAYS} days`,
    curt: `${median(lines).toFixed(0)} µs`,
    reference: `without: ${median(plain).toFixed(0)} µs`,
    ratio: ratioText(median(ratios), spread),
    goal: '≤ 1.2',
  });
}

/** @returns CPU time of the server per request, in microseconds */
async function cpuOf(server: Server, path: string): Promise<number> {
  const before = server.cpuMicroseconds;
  for (let request = 0; request < REQUESTS; request++) {
    const response = await fetch(server.baseUrl + path, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    await response.text();
  }
  return (server.cpuMicroseconds - before) / REQUESTS;
}

async function addVisits(folder: string): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  const store = await openJsonFileStore(folder, { onError: fail });
  const query = { accountId: ACCOUNT_ID, limit: LINKS, after: null, search: null, tag: null };
  const { links } = await store.listLinks(query);
  const now = Math.floor(Date.now() / HOUR_MS);
  const counts = { people: 3, uniquePeople: 2, previews: 1, bots: 1, tallies: new Map() };
  for (let day = 0; day < VISITS_DAYS; day++) {
    const hour = (now - day * 24) * HOUR_MS;
    await store.addVisits(links.map(({ id: linkId }) => ({ linkId, hour, ...counts })));
  }
  await store.close();
}
