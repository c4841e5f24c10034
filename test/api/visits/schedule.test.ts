import { describe, expect, test, vi } from 'vitest';
import { leadsTo, startWithLink } from '../links/with-link.ts';
import { call, makeLink, START, startService } from '../support.ts';
import { expectHits, goLinkOf, visit } from './visiting.ts';

const HOUR = 3_600_000;
const IN_AN_HOUR = new Date(START + HOUR).toISOString();
const TARGET = 'https://example.com/page';
const GONE = 'https://example.com/gone';
const JSON_ONLY = { accept: 'application/json' };

describe('before a link starts', () => {
  test('visitors see from when it works, and then the target', async () => {
    const { service } = await startWithLink({ startsAt: IN_AN_HOUR });
    const page = await visit(service, '/launch');
    expect([page.statusCode, page.headers['retry-after']]).toEqual([425, '3600']);
    expect(page.body).toContain('November 20, 2026 at 1:00 PM UTC');
    expect(page.body).not.toContain('http-equiv="refresh"');
    const german = await visit(service, '/launch', { headers: { 'accept-language': 'de' } });
    expect(german.body.replace(/<\/?time[^>]*>/g, '')).toContain(
      'Er funktioniert ab 20. November 2026',
    );
    const json = await visit(service, '/launch', { headers: JSON_ONLY });
    expect(json.json()).toMatchObject({
      code: 'too_early',
      message: `This link works from ${IN_AN_HOUR}.`,
    });
    await service.clock.advance(HOUR - 1);
    expect(await leadsTo(service)).toBe(425);
    await service.clock.advance(1);
    expect(await leadsTo(service)).toBe(TARGET);
    await expectHits(service, 'launch', 1);
  });

  test.each(['/launch', '/launch+', '/launch/qr.svg', '/launch/go?t=x'])(
    '%s of a hidden link answers as that of an unknown one, and counts as such',
    async (path) => {
      const service = await startService({ env: { UNKNOWN_PER_MINUTE: '2' } });
      await makeLink(service, {
        customAlias: 'launch',
        startsAt: IN_AN_HOUR,
        hideUntilStart: true,
      });
      const answer = async (url: string, remoteAddress: string) => {
        const { statusCode, body } = await visit(service, url, {
          headers: JSON_ONLY,
          remoteAddress,
        });
        return [statusCode, body];
      };
      for (let count = 0; count < 4; count++) {
        const unknown = await answer(path.replace('launch', 'lunch'), '192.0.2.1');
        expect(await answer(path, '192.0.2.2')).toEqual(unknown);
      }
    },
  );

  test('a hidden link takes the same look-ups as an unknown one, so that time does not tell them apart', async () => {
    const { service } = await startWithLink({ startsAt: IN_AN_HOUR, hideUntilStart: true });
    const findLink = vi.spyOn(service.store, 'findLink');
    const results = async (path: string) => {
      findLink.mockClear();
      await visit(service, path);
      return Promise.all(findLink.mock.results.map(({ value }) => value));
    };
    expect(await results('/lunch')).toEqual([undefined]);
    expect(await results('/launch')).toEqual([undefined]);
    await service.clock.advance(HOUR);
    expect(await leadsTo(service)).toBe(TARGET);
  });

  test('a hidden link is also unknown if it is paused or deleted', async () => {
    const fields = { startsAt: IN_AN_HOUR, hideUntilStart: true, goneUrl: GONE };
    const { service, token, edit } = await startWithLink(fields);
    await edit({ isActive: false });
    expect(await leadsTo(service)).toBe(404);
    await call(service, 'DELETE /api/links/launch', { token });
    expect(await leadsTo(service)).toBe(404);
    await service.clock.advance(HOUR);
    expect(await leadsTo(service)).toBe(410);
  });

  test('its page marks the time in the text, in every language', async () => {
    const { service } = await startWithLink({ startsAt: IN_AN_HOUR });
    for (const language of ['en', 'de', 'es', 'fr', 'ja', 'ar']) {
      const headers = { accept: 'text/html', 'accept-language': language };
      const { body } = await visit(service, '/launch', { headers });
      const [, time] = new RegExp(`<time datetime="${IN_AN_HOUR}">(.*?)</time>`).exec(body) ?? [];
      expect(time, language).toContain('UTC');
      expect(body.match(/local-times\.js/g)).toHaveLength(1);
    }
  });

  test('it is listed as scheduled, until it starts', async () => {
    const { service, token } = await startWithLink({ startsAt: IN_AN_HOUR });
    const aliases = async (status: string) =>
      (await call(service, `GET /api/links?status=${status}`, { token }))
        .json()
        .data.map(({ alias }: { alias: string }) => alias);
    expect([await aliases('scheduled'), await aliases('active')]).toEqual([['launch'], []]);
    await service.clock.advance(HOUR);
    expect([await aliases('scheduled'), await aliases('active')]).toEqual([[], ['launch']]);
  });

  test('an edit can move and remove the start, but not behind the expiry', async () => {
    const { service, edit } = await startWithLink({ startsAt: IN_AN_HOUR });
    const early = await edit({ expiresInMinutes: 30 });
    expect([early.statusCode, early.json().issues[0].path]).toEqual([400, 'startsAt']);
    expect((await edit({ startsAt: null })).json().data).toMatchObject({
      startsAt: null,
      status: 'active',
    });
    expect(await leadsTo(service)).toBe(TARGET);
  });
});

describe('instead of 410, goneUrl', () => {
  test.each<[string, Record<string, unknown>]>([
    ['expired', { expiresInHours: 1 }],
    ['used up', { maxVisits: 1 }],
  ])('is where visitors of a link go that is %s', async (_, fields) => {
    const { service } = await startWithLink({ goneUrl: GONE, ...fields });
    expect(await leadsTo(service)).toBe(TARGET);
    await service.clock.advance(HOUR);
    expect(await leadsTo(service)).toBe(GONE);
    await expectHits(service, 'launch', 1);
  });

  test('is where all clients go, whatever they accept, but not with +', async () => {
    const { service, edit } = await startWithLink({ goneUrl: GONE, forwardQuery: true });
    await edit({ isActive: false });
    for (const options of [{ headers: JSON_ONLY }, { method: 'HEAD' as const }]) {
      const response = await visit(service, '/launch?a=1', options);
      expect([response.statusCode, response.headers.location]).toEqual([302, `${GONE}?a=1`]);
      expect(response.headers['cache-control']).toBe('private, no-store');
    }
    for (const path of ['/launch+', '/launch/qr.svg']) {
      expect((await visit(service, path)).statusCode, path).toBe(410);
    }
    await edit({ goneUrl: null });
    expect(await leadsTo(service)).toBe(410);
  });

  test('is where a go-link leads, without its token, and a form, once the link is used up', async () => {
    const { service, edit } = await startWithLink({
      goneUrl: GONE,
      waitTimer: 1,
      forwardQuery: true,
    });
    const goLink = goLinkOf(await visit(service, '/launch?a=1')).replaceAll('&amp;', '&');
    await service.clock.advance(1000);
    await edit({ isActive: false, password: 'secret' });
    expect((await visit(service, goLink)).headers.location).toBe(`${GONE}?a=1`);
    const sent = await visit(service, '/launch', { form: { password: 'secret' } });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, GONE]);
  });

  test('is not for deleted and blocked links', async () => {
    const { service, token } = await startWithLink({ goneUrl: GONE });
    await call(service, 'DELETE /api/links/launch', { token });
    expect(await leadsTo(service)).toBe(410);
  });
});
