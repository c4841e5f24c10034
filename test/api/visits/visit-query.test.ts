import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import { editOf } from '../../store/contract.ts';
import { makeLink, startService, type TestService } from '../support.ts';
import { addLink, BROWSER, goLinkOf, visit } from './visiting.ts';

const TARGET = 'https://example.com/page?a=1#part';

async function startForwarding(link: Partial<Link> = {}): Promise<TestService> {
  const service = await startService();
  await addLink(service, { alias: 'kept', originalUrl: TARGET, forwardQuery: true, ...link });
  return service;
}

const decoded = (html: string) => html.replaceAll('&amp;', '&');
const goPathOf = (page: LightMyRequestResponse) => decoded(goLinkOf(page));

describe('the query of a visit', () => {
  test('is added to the target', async () => {
    const service = await startService();
    for (const [originalUrl, query, location] of [
      ['https://example.com/', '?b=2', 'https://example.com/?b=2'],
      ['https://example.com/?a=1', '?b=2', 'https://example.com/?a=1&b=2'],
      ['https://example.com/?a=1#part', '?b=2&b=3', 'https://example.com/?a=1&b=2&b=3#part'],
      ['https://example.com/#part?x', '?b', 'https://example.com/?b#part?x'],
      ['https://example.com/?', '?b=2', 'https://example.com/?b=2'],
      ['https://example.com/?a&', '?b=2', 'https://example.com/?a&b=2'],
      // Shlink and Dub do the same.
      ['https://example.com/?a=1&b=%20&a=2#p', '?a=3&c', 'https://example.com/?b=%20&a=3&c#p'],
      ['https://example.com/?a=1', '?a=2&a=3', 'https://example.com/?a=2&a=3'],
      ['https://example.com/?a=1', '?', 'https://example.com/?a=1'],
      ['https://example.com/?a=1', '', 'https://example.com/?a=1'],
      ['https://example.com/', '?q=%C3%BC%20+%zz', 'https://example.com/?q=%C3%BC%20+%zz'],
      ['https://example.com/', '?t=mine', 'https://example.com/?t=mine'],
      [
        'https://example.com/',
        '?u=https://a.example/?x',
        'https://example.com/?u=https://a.example/?x',
      ],
      ['https://example.com/', `?q="<'>`, 'https://example.com/?q=%22%3C%27%3E'],
    ] as const) {
      const { alias } = await makeLink(service, { originalUrl, forwardQuery: true });
      for (const time of ['first', 'cached']) {
        const { headers } = await visit(service, `/${alias}${query}`);
        expect(headers.location, `${originalUrl} ${query}, ${time}`).toBe(location);
      }
    }
  });

  test('is not added unless the link forwards it', async () => {
    const service = await startForwarding({ forwardQuery: false });
    expect((await visit(service, '/kept?b=2')).headers.location).toBe(TARGET);
  });

  test('is not remembered for the next visit', async () => {
    const service = await startForwarding();
    const address = await service.app.listen({ port: 0 });
    const headers = { 'user-agent': BROWSER };
    const locations: (string | null)[] = [];
    for (const query of ['', '', '?b=2', '?b=3', '']) {
      const response = await fetch(`${address}/kept${query}`, { redirect: 'manual', headers });
      locations.push(response.headers.get('location'));
    }
    const of = (query: string) => `https://example.com/page?a=1${query}#part`;
    expect(locations).toEqual([of(''), of(''), of('&b=2'), of('&b=3'), of('')]);
  });

  test('is left out if the target would be longer than 15 KiB', async () => {
    const service = await startForwarding({ originalUrl: 'https://example.com/' });
    const space = 15 * 1024 - 'https://example.com/?'.length;
    const fits = await visit(service, `/kept?${'x'.repeat(space)}`);
    expect(fits.headers.location).toHaveLength(15 * 1024);
    const tooLong = await visit(service, `/kept?${'x'.repeat(space + 1)}`);
    expect(tooLong.headers.location).toBe('https://example.com/');
  });

  test('passes the preview page and its go-link, whose own token is not forwarded', async () => {
    const service = await startForwarding({ waitTimer: 5 });
    const page = await visit(service, '/kept?b=2&t=mine');
    expect(goPathOf(page)).toMatch(/^\/kept\/go\?t=[^&]+&b=2&t=mine$/);
    await service.clock.advance(5000);
    const { headers } = await visit(service, goPathOf(page));
    expect(headers.location).toBe('https://example.com/page?a=1&b=2&t=mine#part');
  });

  test('survives a go-link that has expired', async () => {
    const service = await startForwarding({ waitTimer: 5 });
    expect((await visit(service, '/kept/go?t=forged&b=2')).headers.location).toBe('/kept?b=2');
    expect((await visit(service, '/kept/go?b=2')).headers.location).toBe('/kept?b=2');
  });

  test('passes the page that shows where the link goes', async () => {
    const service = await startForwarding();
    expect((await visit(service, '/kept+?b=2')).body).toContain('href="/kept?b=2"');
  });

  test('cannot break out of an attribute of a page', async () => {
    const service = await startForwarding({ waitTimer: 5 });
    const { body } = await visit(service, `/kept?"><script>alert(1)</script>`);
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&amp;%22%3E%3Cscript%3Ealert(1)%3C/script%3E"');
  });
});

test('a password form keeps the query, which is added after the password', async () => {
  const service = await startService();
  const response = await service.app.inject({
    method: 'POST',
    url: '/api/shorten',
    payload: { originalUrl: TARGET, customAlias: 'secret', password: 'right' },
  });
  expect(response.statusCode).toBe(200);
  const link = await service.store.findLink('secret');
  if (!link) throw new Error('no link');
  await service.store.editLink(editOf(link, { forwardQuery: true }));
  const action = (page: LightMyRequestResponse) =>
    decoded(/action="([^"]+)"/.exec(page.body)?.[1] ?? '');

  const form = await visit(service, '/secret?b=2&c=3');
  expect(action(form)).toBe('/secret?b=2&c=3');
  const wrong = await visit(service, action(form), { form: { password: 'wrong' } });
  expect(action(wrong)).toBe('/secret?b=2&c=3');
  const right = await visit(service, action(wrong), { form: { password: 'right' } });
  expect(right.statusCode).toBe(303);
  expect(right.headers.location).toBe('https://example.com/page?a=1&b=2&c=3#part');
  const inspected = await visit(service, '/secret+?b=2', { form: { password: 'right' } });
  const path = decoded(/href="(\/secret\/go[^"]+)"/.exec(inspected.body)?.[1] ?? '');
  expect((await visit(service, path)).headers.location).toBe(
    'https://example.com/page?a=1&b=2#part',
  );
});
