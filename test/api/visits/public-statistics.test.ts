import { describe, expect, test, vi } from 'vitest';
import { statisticsSchema } from '../../../shared/statistics.ts';
import { ADMIN, callAsAdmin } from '../admin/as-admin.ts';
import { startWithLink } from '../links/with-link.ts';
import { call, makeLink, START, startService, type TestService } from '../support.ts';
import { storeVisits, visit } from './visiting.ts';

const TARGET = 'https://example.com/page';
const IN_AN_HOUR = new Date(START + 3_600_000).toISOString();
const JSON_ONLY = { accept: 'application/json' };

async function readShown(service: TestService, path = '/launch/stats') {
  const page = await visit(service, path);
  const json = await visit(service, path, { headers: JSON_ONLY });
  return { page, json, data: json.json().data };
}

/** One visit, counted in the background. */
async function visitOnce(service: TestService, more: Record<string, string> = {}) {
  const headers = { referer: 'https://news.example/story', ...more };
  await visit(service, '/launch', { headers });
  await storeVisits(service);
  expect((await readShown(service)).data.totals.people).toBe(1);
}

describe('GET /<alias>/stats', () => {
  test('shows the visits of a link with publicStats, as a page without scripts and as JSON', async () => {
    const { service } = await startWithLink({ publicStats: true, title: 'The launch' });
    await visitOnce(service);
    const { page, json, data } = await readShown(service);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex' });
    expect(String(page.headers.vary)).toContain('Accept');
    for (const shown of ['s.example/launch', 'The launch', 'news.example', '<rect']) {
      expect(page.body).toContain(shown);
    }
    expect(page.body).not.toMatch(/<script|style="/);
    expect(json.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    expect(statisticsSchema.parse(data).referrers).toEqual([{ key: 'news.example', people: 1 }]);
    expect(data).toMatchObject({
      shortUrl: 'https://s.example/launch',
      title: 'The launch',
      originalUrl: TARGET,
    });
  });

  test('is in the language of the visitor', async () => {
    const { service } = await startWithLink({ publicStats: true });
    const { body } = await visit(service, '/launch/stats', {
      headers: { 'accept-language': 'de' },
    });
    expect(body).toContain('Statistik dieses Kurzlinks');
    const arabic = await visit(service, '/launch/stats?lang=ar&unit=month');
    expect(arabic.body).toContain('dir="rtl"');
  });

  test('is of the period that is asked for', async () => {
    const { service } = await startWithLink({ publicStats: true });
    const { data } = await readShown(service, '/launch/stats?unit=month');
    expect(data.series).toHaveLength(12);
    const wrong = await visit(service, '/launch/stats?unit=week', { headers: JSON_ONLY });
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'invalid_request']);
  });

  test.each([
    ['has a password', { password: 'secret', title: 'Hidden title' }],
    ['has not started', { startsAt: IN_AN_HOUR, title: 'Hidden title' }],
    ['has a wait', { waitTimer: 5 }],
    ['counts its visits', { maxVisits: 5 }],
  ])('does not tell the target of a link that %s', async (_, fields) => {
    const { service } = await startWithLink({ publicStats: true, ...fields });
    const { page, json, data } = await readShown(service);
    expect(page.statusCode).toBe(200);
    expect(data.originalUrl).toBeNull();
    for (const { body } of [page, json]) {
      expect(body).not.toContain('example.com/page');
      expect(body).not.toContain('Hidden title');
    }
  });

  test.each([
    ['is paused', { isActive: false }],
    ['has expired', { expiresAt: IN_AN_HOUR }],
  ])('does not tell the target of a link that %s', async (_, fields) => {
    const { service, edit } = await startWithLink({ publicStats: true, title: 'The launch' });
    await edit(fields);
    await service.clock.advance(3_600_000);
    const { page, json, data } = await readShown(service);
    expect(data).toMatchObject({ title: 'The launch', originalUrl: null });
    expect(page.body + json.body).not.toContain('example.com/page');
  });

  test('does not tell the title before the start of a link that is paused, either', async () => {
    const fields = { publicStats: true, startsAt: IN_AN_HOUR, title: 'Hidden title' };
    const { service, edit } = await startWithLink(fields);
    await edit({ isActive: false });
    expect((await readShown(service)).data).toMatchObject({ title: '', originalUrl: null });
  });

  test('does not tell the hosts of internal networks that led to the link', async () => {
    const { service, token } = await startWithLink({ publicStats: true });
    const hosts = ['wiki', 'localhost:3000', '10.0.0.5:8080', '[fd00::1]', 'jira.corp.local'];
    for (const host of [...hosts, 'news.example']) {
      await visit(service, '/launch', { headers: { referer: `http://${host}/page` } });
    }
    await visit(service, '/launch');
    await storeVisits(service);
    expect((await readShown(service)).data.referrers).toEqual([
      { key: 'other', people: hosts.length },
      { key: 'direct', people: 1 },
      { key: 'news.example', people: 1 },
    ]);
    const own = await call(service, 'GET /api/links/launch/stats', { token });
    expect(own.json().data.referrers).toContainEqual({ key: 'jira.corp.local', people: 1 });
  });

  test('tells nothing of rules', async () => {
    const rules = [{ device: 'phone', originalUrl: 'https://secret.example/mobile' }];
    const { service, token } = await startWithLink({ publicStats: true, rules });
    await visitOnce(service, {
      'user-agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1',
    });
    const own = await call(service, 'GET /api/links/launch/stats', { token });
    expect(own.body).toContain('secret.example');
    const { page, json } = await readShown(service);
    expect(page.body + json.body).not.toContain('secret.example');
    expect(json.json().data).not.toHaveProperty('targets');
  });

  test('goes on when the link no longer works, but not when it is deleted or blocked', async () => {
    const { service, token, edit } = await startWithLink({ publicStats: true }, ADMIN.env);
    const statusOf = async () => (await visit(service, '/launch/stats')).statusCode;
    await edit({ isActive: false });
    expect(await statusOf()).toBe(200);
    const block = { kind: 'link', value: 'launch', reason: 'Phishing' };
    await callAsAdmin(service, 'POST /api/admin/blocks', block);
    expect(await statusOf()).toBe(451);
    await callAsAdmin(service, 'DELETE /api/admin/blocks/link/launch');
    await call(service, 'DELETE /api/links/launch', { token });
    expect(await statusOf()).toBe(404);
  });

  test('is taken back by an edit', async () => {
    const { service, edit } = await startWithLink({ publicStats: true });
    expect((await visit(service, '/launch/stats')).statusCode).toBe(200);
    await edit({ publicStats: false });
    expect((await visit(service, '/launch/stats')).statusCode).toBe(404);
  });

  test('answers for a link without it as for an unknown one, and counts it as such', async () => {
    const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
    await makeLink(service, { customAlias: 'launch' });
    const answer = async (url: string, remoteAddress: string) => {
      const response = await visit(service, url, { headers: JSON_ONLY, remoteAddress });
      return [response.statusCode, response.body];
    };
    for (let count = 0; count < 4; count++) {
      const unknown = await answer('/lunch/stats', '192.0.2.1');
      expect(unknown[0]).toBe(count < 2 ? 404 : 429);
      expect(await answer('/launch/stats', '192.0.2.2')).toEqual(unknown);
    }
  });

  test('takes the same look-ups without it as for an unknown link', async () => {
    const { service } = await startWithLink();
    const findLink = vi.spyOn(service.store, 'findLink');
    const results = async (path: string) => {
      findLink.mockClear();
      await visit(service, path);
      return Promise.all(findLink.mock.results.map(({ value }) => value));
    };
    expect(await results('/lunch/stats')).toEqual([undefined]);
    expect(await results('/launch/stats')).toEqual([undefined]);
  });

  test('is limited for each client by the periods that it asks for', async () => {
    const { service } = await startWithLink({ publicStats: true });
    const from = new Date(START - 89 * 86_400_000).toISOString();
    const read = async (remoteAddress: string, query = '') => {
      const url = `/launch/stats${query}`;
      return visit(service, url, { headers: JSON_ONLY, remoteAddress });
    };
    const statuses = new Set<number>();
    let requests = 0;
    do {
      statuses.add((await read('192.0.2.1', `?unit=hour&from=${from}`)).statusCode);
    } while (!statuses.has(429) && ++requests < 100);
    expect(requests).toBeGreaterThan(20);
    expect(requests).toBeLessThan(60);
    expect([...statuses]).toEqual([200, 429]);
    const limited = await read('192.0.2.1');
    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '60']);
    expect((await read('192.0.2.2')).statusCode).toBe(200);
    await service.clock.advance(60_000);
    expect((await read('192.0.2.1')).statusCode).toBe(200);
  });
});
