import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../server/store/tools/open.ts';
import type { VisitsOfHour } from '../../server/store/visits.ts';
import { ADMIN_ENDPOINTS } from '../../shared/api/admin-endpoints.ts';
import { createApiClient } from '../../shared/api/client.ts';
import { type Client, createClient } from '../../shared/client.ts';
import { type RunningServer, startServer } from '../e2e/support/servers/server.ts';
import { talliesOf, tally } from '../store/contract.ts';
import { dataOf } from '../support/data-of.ts';
import { linksTable } from './links.ts';

const HOUR_MS = 3_600_000;
const DAYS = 60;
const ADMIN_TOKEN = 'only-for-the-pictures-of-one-run!';

/** Links of a visitor, by what their pages show. */
export const VISITED = {
  password: 'minutes',
  preview: 'museum',
  gone: 'summer',
  blocked: 'prize',
} as const;
/** The link with visits on every day. */
export const POPULAR = 'festival';

export type FilledServer = RunningServer & { token: string };

/** A server with an account that has links of all kinds, and visits of the last 60 days. */
export async function startFilledServer(env: Record<string, string>): Promise<FilledServer> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-pictures-'));
  const options = { folder, env: { ADMIN_TOKEN, ...env } };
  const first = await startServer(options);
  let token: string;
  try {
    token = await createLinks(createClient({ baseUrl: first.baseUrl }));
    const admin = createApiClient(ADMIN_ENDPOINTS, { baseUrl: first.baseUrl, token: ADMIN_TOKEN });
    dataOf(
      await admin.adminAddBlock({
        body: { kind: 'link', value: VISITED.blocked, reason: 'Phishing' },
      }),
    );
  } finally {
    await first.stop();
  }
  await addVisits(folder);
  const server = await startServer(options);
  return {
    ...server,
    token,
    async stop() {
      const code = await server.stop();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

async function createLinks(client: Client): Promise<string> {
  const { authToken: token } = dataOf(
    await client.createLink({
      body: {
        originalUrl: 'https://museum.example.org/exhibitions/light-and-water',
        customAlias: VISITED.preview,
        title: 'Light and water: the new exhibition',
        description: 'Paintings and maps of two centuries. Open every day until March.',
        tags: ['Culture'],
        waitTimer: 300,
      },
    }),
  );
  const more = [
    { customAlias: VISITED.password, title: 'Minutes of the board', password: 'foghorn' },
    { customAlias: VISITED.gone, title: 'Summer program', isActive: false },
    { customAlias: VISITED.blocked, title: 'You have won a prize' },
  ];
  for (const { isActive = true, ...link } of more) {
    const originalUrl = `https://club.example.org/files/${link.customAlias}.pdf`;
    dataOf(await client.createLink({ body: { originalUrl, ...link }, token }));
    if (!isActive)
      dataOf(await client.editLink({ alias: link.customAlias, token, body: { isActive } }));
  }
  const table = { file: linksTable() };
  dataOf(await client.importLinks({ token, ...table }));
  dataOf(await client.createToken({ token, body: { name: 'Phone', scope: 'all' } }));
  dataOf(await client.createToken({ token, body: { name: 'Newsletter script', scope: 'create' } }));
  return token;
}

/** More people on some days of the week and hours of the day, always the same ones. */
async function addVisits(folder: string): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  const store = await openStore(`file:${folder}`, { onError: fail });
  try {
    const idOf = async (alias: string) => (await store.findLink(alias))?.id ?? '';
    const [linkId, second] = [await idOf(POPULAR), await idOf(VISITED.preview)];
    const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const visits: VisitsOfHour[] = [];
    for (let ago = 0; ago < DAYS * 24; ago += 3) {
      const hour = thisHour - ago * HOUR_MS;
      const day = Math.floor(ago / 24);
      const people = 2 + ((day * 5 + ago) % 7) + (day % 7 < 2 ? 6 : 0);
      const [one, two] = [Math.ceil(people / 2), Math.floor(people / 3)];
      const other = { people: day % 3, uniquePeople: day % 3, previews: 0, bots: 0 };
      visits.push({ linkId: second, hour, ...other, tallies: new Map() });
      visits.push({
        linkId,
        hour,
        people,
        uniquePeople: people - 1,
        previews: ago % 4,
        bots: day % 5 === 0 ? 3 : 1,
        tallies: talliesOf({
          referrers: tally({
            'google.com': one,
            't.co': Math.floor(two / 2),
            'city.example.org': Math.ceil(two / 2),
            direct: people - one - two,
          }),
          browsers: tally({ Firefox: one, Chrome: two, Safari: people - one - two }),
          systems: tally({ Android: one, Windows: two, iOS: people - one - two }),
          devices: tally({ mobile: one + two, desktop: people - one - two }),
          countries: tally({ AT: one, DE: two, FR: people - one - two, US: day % 3, JP: ago % 2 }),
        }),
      });
    }
    await store.addVisits(visits);
    for (const { linkId, people } of visits) {
      for (let person = 0; person < people; person++) store.countHit(linkId);
    }
  } finally {
    await store.close();
  }
}
