import { describe, expect, test } from 'vitest';
import { openLog } from '../../server/web/http/log/log.ts';
import { newFolder } from '../support/new-folder.ts';
import { visit } from './raw-http.ts';
import { makeLink, shorten, startService, type TestService } from './support.ts';
import { BROWSER } from './visits/visiting.ts';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const TARGET = 'https://example.com/page';

type Line = {
  msg: string;
  route?: string;
  status?: number;
  err?: { message: string; cause?: { message: string } };
};

function linesOf({ logLines }: TestService): Line[] {
  return logLines.map((line) => JSON.parse(line));
}

/** Of requests for links. */
const statuses = (service: TestService) =>
  linesOf(service)
    .filter(({ msg, route }) => msg === 'answered' && route === '/:alias')
    .map(({ status }) => status);

/** A new link, two redirects, and an unknown alias. */
async function useService(env: Record<string, string>): Promise<TestService> {
  const service = await startService({ env });
  await makeLink(service, { customAlias: 'plain' });
  await visit(service, '/plain');
  await visit(service, '/plain');
  await visit(service, '/unknown');
  return service;
}

test('a LOG_FILE that cannot be written is named, with the reason', async () => {
  const folder = await newFolder();
  expect(() => openLog(folder)).toThrow(/^LOG_FILE: .* cannot be written: EISDIR/);
});

describe('LOG_REQUESTS', () => {
  test.each<[string, Record<string, string>, number[]]>([
    ['errors is the default: requests that fail are logged', {}, [404]],
    ['all logs every request', { LOG_REQUESTS: 'all' }, [302, 302, 404]],
    ['none logs no request', { LOG_REQUESTS: 'none' }, []],
    ['all logs no request above the level info', { LOG_REQUESTS: 'all', LOG_LEVEL: 'warn' }, []],
  ])('%s', async (_title, env, expected) => {
    expect(statuses(await useService(env))).toEqual(expected);
  });
});

test('of many refused requests, 100 lines a minute are logged, and the summary counts the others', async () => {
  const service = await startService();
  const refuse = async (times: number) => {
    for (let time = 0; time < times; time++) await service.app.inject('/dashboard/nothing.js');
    await visit(service, '/unknown');
  };
  await refuse(110);
  await service.clock.advance(60_000);
  await refuse(10);
  await service.app.close();
  const lines = linesOf(service);
  expect(lines.filter(({ msg }) => msg === 'answered')).toHaveLength(111);
  expect(lines.filter(({ msg }) => msg === 'traffic')).toEqual([
    expect.objectContaining({ unlogged: { '/dashboard/* 404': 10, '/:alias 404': 1 } }),
    expect.not.objectContaining({ unlogged: expect.anything() }),
  ]);
});

test('why the store cannot be used is logged once a minute, however many requests fail', async () => {
  const service = await startService();
  const failures = () =>
    linesOf(service)
      .filter(({ err }) => err)
      .map(({ msg, err }) => [msg, err?.message, err?.cause?.message].join());
  const create = async () => (await shorten(service, { originalUrl: TARGET })).statusCode;
  await service.data.takeAway();
  try {
    for (let times = 0; times < 5; times++) expect(await create()).toBe(503);
    const first = failures();
    expect(first).toEqual([...new Set(first)]);
    expect(first).not.toEqual([]);
    await service.clock.advance(60_000);
    expect(await create()).toBe(503);
    expect(failures().length).toBeGreaterThan(first.length);
  } finally {
    await service.data.bringBack();
  }
});

describe('the summary of the traffic', () => {
  const summaries = (service: TestService) =>
    linesOf(service).filter(({ msg }) => msg === 'traffic');

  test('is logged for the rest of the last minute when the server stops', async () => {
    const service = await useService({});
    await visit(service, '/plain', { userAgent: BOT });
    await visit(service, '/plain', { userAgent: 'Slackbot-LinkExpanding 1.0' });
    await service.clock.advance(7000);
    expect(summaries(service)).toEqual([]);
    await service.app.close();
    expect(summaries(service)).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        seconds: 7,
        requests: { api: { '2xx': 1 }, links: { '3xx': 4, '4xx': 1 } },
        redirects: 4,
        created: 1,
        visits: { people: 2, previews: 1, bots: 1 },
        p50Ms: expect.any(Number),
        p99Ms: expect.any(Number),
        msg: 'traffic',
      },
    ]);
  });

  test('counts a person once who waits on a preview page, and a bot that gets only the page', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'with-wait', waitTimer: 1 });
    await visit(service, '/with-wait', { userAgent: BOT });
    const { body } = await service.app.inject({
      url: '/with-wait',
      headers: { 'user-agent': BROWSER },
    });
    await service.clock.advance(2000);
    await visit(service, /\/with-wait\/go\?t=[\w.-]+/.exec(body)?.[0] ?? '');
    await service.app.close();
    expect(summaries(service)).toMatchObject([
      { redirects: 1, visits: { people: 1, previews: 0, bots: 1 } },
    ]);
  });

  test('counts imported links as created, and a repeated request once', async () => {
    const service = await startService();
    const key = '0b9c1f0a-5a4b-4c0f-9a51-0f6b9a1d2c3e';
    const { authToken } = await makeLink(service, {}, { key });
    await makeLink(service, {}, { key });
    const imported = await service.app.inject({
      method: 'POST',
      url: '/api/links/import?from=csv',
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${authToken}` },
      payload: 'originalUrl\nhttps://example.com/1\nhttps://example.com/2\n',
    });
    expect(imported.json()).toMatchObject({ data: { imported: 2 } });
    await service.app.close();
    expect(summaries(service)).toMatchObject([{ created: 3 }]);
  });

  test('is omitted if there was no request', async () => {
    const service = await startService();
    await service.app.close();
    expect(summaries(service)).toEqual([]);
  });
});
