import { describe, expect, test } from 'vitest';
import {
  accountStatisticsResponseSchema,
  type LinkStatistics,
  linkStatisticsResponseSchema,
  type StatisticsReport,
} from '../../../shared/statistics.ts';
import { talliesOf } from '../../store/contract.ts';
import { call, makeLink, START, startService, type TestService } from '../support.ts';
import { addLink, BROWSER, goLinkOf, storeVisits, visit } from '../visits/visiting.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BOT = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
const PREVIEW = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
const IPHONE = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
};

async function statisticsOf(
  service: TestService,
  token: string,
  path = '/api/links/launch/stats',
): Promise<StatisticsReport & Partial<LinkStatistics>> {
  const response = await call(service, `GET ${path}`, { token });
  expect(response.statusCode, response.body).toBe(200);
  const ofLink = path.startsWith('/api/links/');
  const schema = ofLink ? linkStatisticsResponseSchema : accountStatisticsResponseSchema;
  return schema.parse(response.json()).data;
}

/** Stores visits, which are counted in the background, and checks that they are all there. */
async function expectTotals(
  service: TestService,
  token: string,
  totals: Partial<StatisticsReport['totals']>,
) {
  await storeVisits(service);
  expect((await statisticsOf(service, token)).totals).toMatchObject(totals);
}

async function startWithLink(env: Record<string, string> = {}, body: Record<string, unknown> = {}) {
  const service = await startService({ env });
  const { authToken: token } = await makeLink(service, { customAlias: 'launch', ...body });
  return { service, token };
}

describe('GET /api/links/:alias/stats', () => {
  test('counts people, previews and bots, and tells what is known of people', async () => {
    const { service, token } = await startWithLink();
    const referer = 'https://www.News.example/story?id=1';
    await visit(service, '/launch', { headers: { referer } });
    await visit(service, '/launch', { headers: { referer } });
    await visit(service, '/LAUNCH', { headers: IPHONE, remoteAddress: '192.0.2.9' });
    await visit(service, '/launch', { headers: BOT });
    await visit(service, '/launch', { headers: PREVIEW });
    await visit(service, '/launch', { method: 'HEAD' });
    await visit(service, '/launch', { headers: { 'sec-purpose': 'prefetch' } });
    const totals = { people: 3, uniquePeople: 2, previews: 3, bots: 1 };
    await expectTotals(service, token, totals);
    const report = await statisticsOf(service, token);
    expect(report).toMatchObject({
      from: '2026-10-22T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      unit: 'day',
      timeZone: 'UTC',
      isRecording: true,
      totals,
      referrers: [
        { key: 'news.example', people: 2 },
        { key: 'direct', people: 1 },
      ],
      browsers: [
        { key: 'Firefox', people: 2 },
        { key: 'Safari', people: 1 },
      ],
      systems: [
        { key: 'Linux', people: 2 },
        { key: 'iOS', people: 1 },
      ],
      devices: [
        { key: 'desktop', people: 2 },
        { key: 'mobile', people: 1 },
      ],
      countries: [{ key: 'unknown', people: 3 }],
    });
    expect(report.series).toHaveLength(30);
    expect(report.series.at(-1)).toEqual({ start: '2026-11-20T00:00:00.000Z', ...totals });
    expect(report.series.at(-2)).toMatchObject({ people: 0, uniquePeople: 0 });
  });

  test('counts referrers with the names of built-in properties', async () => {
    const { service, token } = await startWithLink();
    for (const name of ['constructor', '__proto__', 'constructor', '__proto__', 'constructor']) {
      await visit(service, '/launch', { headers: { referer: `http://${name}/` } });
    }
    await visit(service, '/launch', { headers: { referer: 'http://news.example/' } });
    await expectTotals(service, token, { people: 6 });
    for (const path of ['/api/links/launch/stats', '/api/stats']) {
      expect((await statisticsOf(service, token, path)).referrers).toEqual([
        { key: 'constructor', people: 3 },
        { key: '__proto__', people: 2 },
        { key: 'news.example', people: 1 },
      ]);
    }
  });

  test('counts visits by the fast path as those by the slow one', async () => {
    const { service, token } = await startWithLink();
    const address = await service.app.listen({ port: 0 });
    for (const headers of [{ 'user-agent': BROWSER }, { 'user-agent': BROWSER }, BOT, PREVIEW]) {
      await fetch(`${address}/launch`, { redirect: 'manual', headers });
    }
    await expectTotals(service, token, { people: 2, uniquePeople: 1, previews: 1, bots: 1 });
  });

  test('counts where the rules of a link send people, on both paths, also after they were reordered', async () => {
    const long = `https://example.com/${'long/'.repeat(100)}`;
    const rules = [
      { query: { name: 'src', value: 'b' }, originalUrl: 'https://b.example' },
      { query: { name: 'src', value: 'long' }, originalUrl: `${long}1` },
      { query: { name: 'src', value: 'longer' }, originalUrl: `${long}2` },
      { query: { name: 'src', value: 'constructor' }, originalUrl: 'http://constructor' },
    ];
    const { service, token } = await startWithLink();
    await visit(service, '/launch?src=b');
    await expectTotals(service, token, { people: 1 });
    expect((await statisticsOf(service, token)).targets).toEqual([]);

    const setRules = (body: object[]) =>
      call(service, 'PATCH /api/links/launch', { token, body: { rules: body } });
    await setRules(rules);
    expect((await statisticsOf(service, token)).targets).toEqual([
      ...['https://b.example/', expect.any(String), expect.any(String), 'http://constructor/'].map(
        (key) => ({ key, people: 0 }),
      ),
      { key: 'https://example.com/page', people: 0 },
    ]);
    const address = await service.app.listen({ port: 0 });
    for (const source of ['b', 'long', 'longer', 'other']) {
      await fetch(`${address}/launch?src=${source}`, {
        redirect: 'manual',
        headers: { 'user-agent': BROWSER },
      });
    }
    await setRules(rules.toReversed());
    for (const source of ['b', 'constructor', 'b', 'other']) {
      await visit(service, `/launch?src=${source}`);
    }
    await visit(service, '/launch?src=b', { headers: BOT });
    await expectTotals(service, token, { people: 9, bots: 1 });
    const { targets = [] } = await statisticsOf(service, token);
    expect(targets.slice(0, 3)).toEqual([
      { key: 'https://b.example/', people: 3 },
      { key: 'https://example.com/page', people: 2 },
      { key: 'http://constructor/', people: 1 },
    ]);
    const longNames = targets.slice(3).map(({ key }) => key);
    expect(longNames).toEqual([
      expect.stringMatching(/^https:\/\/example\.com\/long\/.{164}\.\.\.[0-9a-f]{8}$/),
      expect.stringMatching(/^https:\/\/example\.com\/long\/.{164}\.\.\.[0-9a-f]{8}$/),
    ]);
    expect(longNames[0]).not.toBe(longNames[1]);
    const ofAccount = await call(service, 'GET /api/stats', { token });
    expect(ofAccount.json().data).not.toHaveProperty('targets');
  });

  test('counts people when they are sent to the target, not when they see a page', async () => {
    const { service, token } = await startWithLink({}, { waitTimer: 5 });
    const page = await visit(service, '/launch');
    await visit(service, '/launch', { headers: BOT });
    await visit(service, '/launch+');
    await visit(service, '/launch/qr.svg');
    await service.clock.advance(5000);
    await visit(service, goLinkOf(page));
    await visit(service, '/launch/go?t=forged');
    await expectTotals(service, token, { people: 1, bots: 1, previews: 0 });
  });

  test('has the country only from a proxy of TRUST_PROXY', async () => {
    const { service, token } = await startWithLink({
      COUNTRY_HEADER: 'CF-IPCountry',
      TRUST_PROXY: '10.0.0.0/8',
    });
    const headers = { 'cf-ipcountry': 'AT', 'x-forwarded-for': '192.0.2.1' };
    await visit(service, '/launch', { headers, remoteAddress: '10.0.0.1' });
    await visit(service, '/launch', { headers, remoteAddress: '192.0.2.7' });
    await expectTotals(service, token, { people: 2 });
    expect((await statisticsOf(service, token)).countries).toEqual([
      { key: 'AT', people: 1 },
      { key: 'unknown', people: 1 },
    ]);
  });

  test('names the sites that everybody knows, and sums up their hosts', async () => {
    const { service, token } = await startWithLink();
    for (const referer of ['https://www.google.de/', 'https://google.com/', 'https://t.co/x']) {
      await visit(service, '/launch', { headers: { referer } });
    }
    await expectTotals(service, token, { people: 3 });
    expect((await statisticsOf(service, token)).referrers).toEqual([
      { key: 'Google', people: 2 },
      { key: 'X', people: 1 },
    ]);
  });

  test('has the totals of as much time before, up to the same time of day', async () => {
    const { service, token } = await startWithLink();
    const link = await service.store.findLink('launch');
    const visitsOf = (daysAgo: number, people: number) => ({
      ...{ linkId: link?.id ?? '', hour: START - daysAgo * DAY_MS, tallies: new Map() },
      ...{ people, uniquePeople: people - 1, previews: people + 1, bots: people + 2 },
    });
    await service.store.addVisits([
      ...[visitsOf(0, 3), visitsOf(6, 4)],
      // Today is half over, so the day a week ago ends at noon.
      ...[visitsOf(7, 200), visitsOf(7 + 1 / 24, 10), visitsOf(13, 20), visitsOf(14, 100)],
    ]);
    for (const path of ['/api/links/launch/stats', '/api/stats']) {
      const week = await statisticsOf(service, token, `${path}?unit=day&from=2026-11-14`);
      expect(week.totals).toEqual({ people: 7, uniquePeople: 5, previews: 9, bots: 11 });
      expect(week.previous).toEqual({ people: 30, uniquePeople: 28, previews: 32, bots: 34 });
    }
  });

  test('has what is known of people today for the last 24 hours, and no other day', async () => {
    const { service, token } = await startWithLink();
    const link = await service.store.findLink('launch');
    const one = { linkId: link?.id ?? '', people: 1, uniquePeople: 1, previews: 0, bots: 0 };
    await service.store.addVisits([
      { ...one, hour: START, tallies: talliesOf({ referrers: new Map([['today.example', 1]]) }) },
      {
        ...one,
        hour: START - 13 * HOUR_MS,
        tallies: talliesOf({ referrers: new Map([['yesterday.example', 1]]) }),
      },
    ]);
    const from = new Date(START - 23 * HOUR_MS).toISOString();
    const day = await statisticsOf(service, token, `/api/stats?unit=hour&from=${from}`);
    expect(day.totals.people).toBe(2);
    expect(day.referrers).toEqual([{ key: 'today.example', people: 1 }]);
  });

  test('lists every period in the time zone, with visits of long ago by day and month', async () => {
    const { service, token } = await startWithLink();
    const link = await service.store.findLink('launch');
    const one = { linkId: link?.id ?? '', people: 1, uniquePeople: 1, previews: 0, bots: 0 };
    const from = (key: string) => ({ tallies: talliesOf({ referrers: new Map([[key, 1]]) }) });
    // 23:00Z is the next day in Berlin.
    await service.store.addVisits([
      { ...one, hour: START - 500 * DAY_MS, ...from('long-ago.example') },
      { ...one, hour: START - 100 * DAY_MS, ...from('before.example') },
      { ...one, hour: START - DAY_MS + 11 * HOUR_MS, ...from('yesterday.example') },
      { ...one, hour: START, people: 2, ...from('today.example') },
    ]);
    const read = (query: string) =>
      statisticsOf(service, token, `/api/links/launch/stats?${query}`);
    const byDay = await read('from=2026-11-19&timeZone=Europe/Berlin');
    expect(byDay.series.map(({ start, people }) => [start, people])).toEqual([
      ['2026-11-18T23:00:00.000Z', 0],
      ['2026-11-19T23:00:00.000Z', 3],
    ]);
    const byHour = await read('from=2026-11-20T12:00:00Z&unit=hour');
    expect(byHour.series.map(({ people }) => people)).toEqual([2]);
    expect(byHour.referrers.map(({ key }) => key)).toEqual(['today.example']);
    const byMonth = await read('from=2025-01-01&unit=month');
    expect(byMonth.series).toHaveLength(23);
    expect(byMonth.series.filter(({ people }) => people > 0)).toMatchObject([
      { start: '2025-07-01T00:00:00.000Z', people: 1 },
      { start: '2026-08-01T00:00:00.000Z', people: 1 },
      { start: '2026-11-01T00:00:00.000Z', people: 3 },
    ]);
    expect(byMonth.referrers.map(({ key }) => key).sort()).toEqual([
      'before.example',
      'long-ago.example',
      'today.example',
      'yesterday.example',
    ]);
  });

  test.each([
    ['from=yesterday', 'from', /Must be a date/],
    ['to=2026-02-30', 'to', /Must be a date/],
    ['unit=week', 'unit', /hour/],
    ['timeZone=Mars/Olympus', 'timeZone', /Europe\/Berlin/],
    ['form=2026-11-01', 'form', /Unknown parameter/],
    ['from=2026-11-02&to=2026-11-01', 'from', /later than "to"/],
    ['from=2020-01-01', 'from', /for 400 days/],
    ['to=9999-12-31T23:59:59Z', 'to', /from 1970 to 9998/],
    ['to=9999-12-31&unit=month', 'to', /from 1970 to 9998/],
    ['to=0099-12-31', 'to', /from 1970 to 9998/],
    ['from=1969-12-31T23:59:59Z', 'from', /from 1970 to 9998/],
  ])('answers 400 for ?%s', async (query, path, message) => {
    const { service, token } = await startWithLink();
    for (const url of ['/api/stats', '/api/links/launch/stats']) {
      const response = await call(service, `GET ${url}?${query}`, { token });
      expect(response.statusCode, response.body).toBe(400);
      expect(response.json()).toMatchObject({
        code: 'invalid_request',
        issues: [{ path, message: expect.stringMatching(message) }],
      });
    }
  });

  test('accepts times until the end of the year 9998', async () => {
    const { service, token } = await startWithLink();
    const to = '9998-12-31T23:59:59-12:00';
    const query = new URLSearchParams({ from: '9997-12-01', to, unit: 'month' });
    const report = await statisticsOf(service, token, `/api/stats?${query}`);
    expect(report.to).toBe('9999-02-01T00:00:00.000Z');
  });
});

describe('GET /api/stats', () => {
  test('adds up the links of the account and no others', async () => {
    const { service, token } = await startWithLink();
    await makeLink(service, { customAlias: 'second' }, { token });
    await addLink(service, { alias: 'foreign' });
    for (const path of ['/launch', '/second', '/second', '/foreign']) await visit(service, path);
    await storeVisits(service);
    const { totals } = await statisticsOf(service, token, '/api/stats');
    expect(totals).toMatchObject({ people: 3, uniquePeople: 2 });
  });

  test('has the most visited links, by their current aliases and without erased ones', async () => {
    const { service, token } = await startWithLink({}, { title: 'Launch' });
    await makeLink(service, { customAlias: 'second' }, { token });
    await makeLink(service, { customAlias: 'erased' }, { token });
    await addLink(service, { alias: 'foreign' });
    for (const path of ['/launch', '/second', '/second', '/erased', '/foreign']) {
      await visit(service, path);
    }
    const read = async () =>
      accountStatisticsResponseSchema.parse(
        (await call(service, 'GET /api/stats', { token })).json(),
      ).data;
    await storeVisits(service);
    expect((await read()).totals).toMatchObject({ people: 4 });
    const body = { customAlias: 'renamed' };
    await call(service, 'PATCH /api/links/second', { token, body });
    await call(service, 'DELETE /api/links/erased?purge=true', { token });
    const baseUrl = 'https://s.example';
    const { topLinks, otherLinks } = await read();
    expect(topLinks).toEqual([
      { alias: 'renamed', shortUrl: `${baseUrl}/renamed`, title: '', label: '', people: 2 },
      { alias: 'launch', shortUrl: `${baseUrl}/launch`, title: 'Launch', label: '', people: 1 },
    ]);
    expect(otherLinks).toBe(1);
  });

  test('with a tag adds up the links that have it now', async () => {
    const { service, token } = await startWithLink({}, { tags: ['Spring sale'] });
    await makeLink(service, { customAlias: 'second' }, { token });
    for (const path of ['/launch', '/second', '/second']) await visit(service, path);
    const path = `/api/stats?${new URLSearchParams({ tag: ' spring SALE ' })}`;
    const read = async () =>
      accountStatisticsResponseSchema.parse((await call(service, `GET ${path}`, { token })).json())
        .data;
    const people = async () => (await read()).totals.people;
    await storeVisits(service);
    expect(await people()).toBe(1);
    await call(service, 'PATCH /api/links/second', { token, body: { tags: ['spring sale'] } });
    expect(await people()).toBe(3);
    const { topLinks, otherLinks } = await read();
    expect(topLinks.map(({ alias, people }) => [alias, people])).toEqual([
      ['second', 2],
      ['launch', 1],
    ]);
    expect(otherLinks).toBe(0);
    const bad = await call(service, `GET /api/links/launch/stats?tag=x`, { token });
    expect(bad.statusCode).toBe(400);
  });
});

describe('statistics', () => {
  test('survive a stop of the server, which loses no visit', async () => {
    const { service } = await startWithLink();
    await visit(service, '/launch');
    await visit(service, '/launch');
    await service.app.close();
    const link = await service.store.findLink('launch');
    const { hours } = await service.store.readStatistics({ linkId: link?.id ?? '' });
    expect(hours).toMatchObject([{ people: 2, uniquePeople: 1 }]);
  });

  test('can be turned off, which leaves hits on', async () => {
    const { service, token } = await startWithLink({ STATISTICS: 'off' });
    await visit(service, '/launch');
    expect((await statisticsOf(service, token)).isRecording).toBe(false);
    await service.app.close();
    const link = await service.store.findLink('launch');
    expect(link?.hits).toBe(1);
    expect((await service.store.readStatistics({ linkId: link?.id ?? '' })).hours).toEqual([]);
  });

  test('leave no address, no user agent and no path of a referrer on disk or in the log', async () => {
    const { service, token } = await startWithLink({ TRUST_PROXY: '10.0.0.1' });
    await visit(service, '/launch', {
      remoteAddress: '10.0.0.1',
      headers: {
        'x-forwarded-for': '203.0.113.77',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; Distinctive) Gecko/20100101 Firefox/153.0',
        referer: 'https://news.example/private-path?secret=1',
      },
    });
    await expectTotals(service, token, { people: 1 });
    const { text: stored } = await service.data.read();
    const text = [stored, ...service.logLines].join('\n');
    expect(text).toContain('news.example');
    expect(text).not.toMatch(/203\.0\.113|10\.0\.0\.1|Distinctive|Mozilla|153\.0|private-path/);
  });
});
