import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ADMIN, block } from '../admin/as-admin.ts';
import { makeLink, startService } from '../support.ts';
import { BROWSER, expectHits, goLinkOf, visit } from './visiting.ts';

const OWN = 'https://example.com/page';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const to = (name: string) => `https://${name}.example/`;
const rule = (name: string, conditions: object) => ({ originalUrl: to(name), ...conditions });

/** The same sides of a `share` each time. */
const seededBytes = () => {
  let calls = 0;
  return (size: number) =>
    createHash('shake256', { outputLength: size }).update(`${++calls}`).digest();
};

async function start(rules: object[], fields: Record<string, unknown> = {}, env = {}) {
  const service = await startService({ env, randomBytes: seededBytes() });
  await makeLink(service, { customAlias: 'launch', rules, ...fields });
  const locationOf = async (headers: Record<string, string> = {}, url = '/launch') =>
    (await visit(service, url, { headers })).headers.location;
  return { service, locationOf };
}

describe('a link with rules', () => {
  test('leads where the first rule says that matches', async () => {
    const { service, locationOf } = await start([
      rule('print', { query: { name: 'src', value: 'print' } }),
      rule('phone', { device: 'phone' }),
      rule('linux', { system: 'Linux', language: 'de' }),
    ]);
    expect(await locationOf()).toBe(OWN);
    expect(await locationOf({ 'user-agent': PHONE })).toBe(to('phone'));
    const app = '[FBAN/FB4A;FBAV/540.0.0.50.148;FBCR/Vodafone;FBDV/SM-A536B;]';
    expect(await locationOf({ 'user-agent': app })).toBe(to('phone'));
    expect(await locationOf({ 'accept-language': 'de-CH' })).toBe(to('linux'));
    expect(await locationOf({ 'user-agent': PHONE }, '/launch?src=print')).toBe(to('print'));
    await expectHits(service, 'launch', 5);
  });

  test('choose anew on each visit, and pass the query on', async () => {
    const { service } = await start([rule('phone', { device: 'phone' })], { forwardQuery: true });
    const address = await service.app.listen({ port: 0 });
    const locations: (string | null)[] = [];
    for (const agent of [PHONE, BROWSER, PHONE]) {
      for (const query of ['', '?a=1']) {
        const headers = { 'user-agent': agent };
        const response = await fetch(`${address}/launch${query}`, { redirect: 'manual', headers });
        locations.push(response.headers.get('location'));
      }
    }
    expect(locations).toEqual([
      ...[to('phone'), `${to('phone')}?a=1`],
      ...[OWN, `${OWN}?a=1`],
      ...[to('phone'), `${to('phone')}?a=1`],
    ]);
  });

  test('believes the country only from a trusted proxy', async () => {
    const rules = [rule('swiss', { country: 'CH' })];
    const trusted = { COUNTRY_HEADER: 'cf-ipcountry', TRUST_PROXY: '127.0.0.1' };
    const believed = await start(rules, {}, trusted);
    expect(await believed.locationOf({ 'cf-ipcountry': 'ch' })).toBe(to('swiss'));
    expect(await believed.locationOf()).toBe(OWN);
    const forged = await start(rules, {}, { COUNTRY_HEADER: 'cf-ipcountry' });
    expect(await forged.locationOf({ 'cf-ipcountry': 'ch' })).toBe(OWN);
  });

  test('leads elsewhere from a time on, and until another', async () => {
    const { service, locationOf } = await start([
      rule('sale', { from: '2026-11-20T13:00:00Z', until: '2026-11-20T14:00:00Z' }),
    ]);
    const locations: unknown[] = [];
    for (let hour = 0; hour < 3; hour++) {
      locations.push(await locationOf());
      await service.clock.advance(3_600_000);
    }
    expect(locations).toEqual([OWN, to('sale'), OWN]);
  });

  test('splits visitors by share: the same one gets the same side all day, and sets nothing', async () => {
    const { service, locationOf } = await start([
      rule('a', { share: 30 }),
      rule('b', { share: 30 }),
    ]);
    const sides = new Map<unknown, number>();
    for (let visitor = 0; visitor < 1000; visitor++) {
      const headers = { 'user-agent': `${BROWSER} visitor ${visitor}` };
      const side = await locationOf(headers);
      expect(await locationOf(headers)).toBe(side);
      sides.set(side, (sides.get(side) ?? 0) + 1);
    }
    expect([...sides.keys()].sort()).toEqual([to('a'), to('b'), OWN]);
    // The key is random: this is seven times the standard deviation.
    expect(Math.abs((sides.get(to('a')) ?? 0) - 300)).toBeLessThan(100);
    expect(Math.abs((sides.get(to('b')) ?? 0) - 300)).toBeLessThan(100);
    const response = await visit(service, '/launch');
    expect(response.headers['set-cookie']).toBeUndefined();
  });

  test('spends maxVisits whatever the target', async () => {
    const { service, locationOf } = await start([rule('phone', { device: 'phone' })], {
      maxVisits: 2,
    });
    expect(await locationOf({ 'user-agent': PHONE })).toBe(to('phone'));
    expect(await locationOf()).toBe(OWN);
    expect((await visit(service, '/launch')).statusCode).toBe(410);
  });

  test('asks for its password first', async () => {
    const { service } = await start([rule('phone', { device: 'phone' })], { password: 'secret' });
    const headers = { 'user-agent': PHONE };
    const form = await visit(service, '/launch', { headers });
    expect(form.statusCode).toBe(200);
    expect(form.body).not.toContain('phone.example');
    const opened = await visit(service, '/launch', { headers, form: { password: 'secret' } });
    expect([opened.statusCode, opened.headers.location]).toEqual([303, to('phone')]);
  });

  test('shows the host of the visitor’s target on the preview page, and asks again on the way', async () => {
    const { service } = await start(
      [
        rule('print', { query: { name: 'src', value: 'print' } }),
        rule('phone', { device: 'phone' }),
      ],
      { waitTimer: 1 },
    );
    const page = await visit(service, '/launch?src=print');
    expect(page.body).toContain('print.example');
    expect(page.body).not.toContain('phone.example');
    await service.clock.advance(1000);
    const goLink = goLinkOf(page).replaceAll('&amp;', '&');
    expect((await visit(service, goLink)).headers.location).toBe(to('print'));
    const asPhone = await visit(service, goLink.replace('&src=print', ''), {
      headers: { 'user-agent': PHONE },
    });
    expect(asPhone.headers.location).toBe(to('phone'));
  });

  test('passes the query that a rule asks for through the password form, but not to the target', async () => {
    const rules = [rule('print', { query: { name: 'src' } })];
    const { service } = await start(rules, { password: 'secret', waitTimer: 1 });
    const form = await visit(service, '/launch?src=1');
    expect(form.body).toContain('action="/launch?src=1"');
    const page = await visit(service, '/launch?src=1', { form: { password: 'secret' } });
    await service.clock.advance(1000);
    const opened = await visit(service, goLinkOf(page).replaceAll('&amp;', '&'));
    expect(opened.headers.location).toBe(to('print'));
  });

  test('lists all targets at /<alias>+, escaped; of a link with a wait, their hosts', async () => {
    const rules = [rule('phone', { device: 'phone' }), { share: 1, originalUrl: `${to('b')}?a&b` }];
    const { service } = await start(rules, { goneUrl: to('gone') });
    const page = await visit(service, '/launch+');
    for (const url of [OWN, to('phone'), `${to('b')}?a&amp;b`, to('gone')]) {
      expect(page.body).toContain(`>${url}<`);
    }
    const waiting = await start(rules, { waitTimer: 5, goneUrl: to('gone') });
    const hosts = (await visit(waiting.service, '/launch+')).body;
    for (const host of ['example.com', 'phone.example', 'b.example', 'gone.example']) {
      expect(hosts).toContain(`>${host}<`);
    }
    expect(hosts).not.toContain('https://phone.example/');
  });

  test('is blocked if the host of any target is', async () => {
    const service = await startService(ADMIN);
    const rules = [rule('www.evil', { device: 'phone' })];
    await makeLink(service, { customAlias: 'one', rules });
    await makeLink(service, { customAlias: 'two', goneUrl: to('evil') });
    await makeLink(service, { customAlias: 'three', goneUrl: to('good') });
    const address = await service.app.listen({ port: 0 });
    const statuses = () =>
      Promise.all(
        ['one', 'two', 'three'].map(
          async (alias) => (await fetch(`${address}/${alias}`, { redirect: 'manual' })).status,
        ),
      );
    expect(await statuses()).toEqual([302, 302, 302]);
    await block(service, 'host', 'evil.example');
    expect(await statuses()).toEqual([451, 451, 302]);
  });
});
