import { describe, expect, test } from 'vitest';
import { call, makeLink, START, shorten, startService } from '../support.ts';
import { goLinkOf, visit } from '../visits/visiting.ts';
import { ADMIN, block, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

const EVIL = 'https://a.evil.example/login';

describe('a blocked link', () => {
  test('answers 451 on each of its pages, under all its aliases, and counts no visit', async () => {
    const service = await startService(ADMIN);
    const { token } = await createAccount(service);
    for (const options of [
      { customAlias: 'plain' },
      { customAlias: 'waits', waitTimer: 1 },
      { customAlias: 'locked', password: 'open sesame' },
    ]) {
      await makeLink(service, options, { token });
    }
    const edit = { token, body: { customAlias: 'renamed' } };
    await call(service, 'PATCH /api/links/plain', edit);
    const go = goLinkOf(await visit(service, '/waits'));
    await service.clock.advance(2000);
    // In the cache of redirects.
    expect((await visit(service, '/plain')).statusCode).toBe(302);
    for (const alias of ['plain', 'waits', 'locked']) await block(service, 'link', alias);

    const paths = ['/plain', '/renamed', '/plain+', '/plain/qr.svg', '/plain/qr.png', '/waits', go];
    for (const path of [...paths, '/locked', '/locked+']) {
      const page = await visit(service, path);
      expect(page.statusCode, path).toBe(451);
      expect(page.body, path).toContain('This link is blocked');
      expect(page.body, path).not.toMatch(/example\.com|Phishing/);
      const json = await visit(service, path, { headers: { accept: 'application/json' } });
      expect([json.statusCode, json.json().code], path).toEqual([451, 'link_blocked']);
    }
    const submitted = await visit(service, '/locked', { form: { password: 'open sesame' } });
    expect(submitted.statusCode).toBe(451);
    expect((await visit(service, '/plain', { method: 'HEAD' })).statusCode).toBe(451);
    expect((await service.store.findLink('plain'))?.hits).toBe(1);
    expect((await service.store.findLink('waits'))?.hits).toBe(0);

    expect((await call(service, 'GET /api/links/renamed', { token })).json().data.status).toBe(
      'blocked',
    );
    await dataAsAdmin(service, 'DELETE /api/admin/blocks/link/plain');
    expect((await visit(service, '/renamed')).statusCode).toBe(302);
  });

  test('is found by its status, which the owner sees, too', async () => {
    const service = await startService(ADMIN);
    const { token } = await createAccount(service);
    for (const customAlias of ['one', 'two']) await makeLink(service, { customAlias }, { token });
    await block(service, 'link', 'one');
    const aliases = async (request: string, asAdmin = false) => {
      const response = asAdmin
        ? await callAsAdmin(service, request)
        : await call(service, request, { token });
      return response.json().data.map(({ alias }: { alias: string }) => alias);
    };
    expect(await aliases('GET /api/links?status=blocked')).toEqual(['one']);
    expect(await aliases('GET /api/links?status=active')).toEqual(['two']);
    expect(await aliases('GET /api/admin/links?status=blocked', true)).toEqual(['one']);
    await call(service, 'DELETE /api/links/one', { token });
    expect(await aliases('GET /api/links?status=blocked')).toEqual([]);
    expect((await visit(service, '/one')).statusCode).toBe(410);
    await call(service, 'POST /api/links/one/restore', { token });
    expect((await visit(service, '/one')).statusCode).toBe(451);
  });

  test('stays blocked whatever its owner does', async () => {
    const service = await startService(ADMIN);
    const { token } = await createAccount(service);
    await makeLink(service, { customAlias: 'old' }, { token });
    await call(service, 'PATCH /api/links/old', { token, body: { customAlias: 'new' } });
    await block(service, 'link', 'old');
    const body = { customAlias: 'New', originalUrl: 'https://example.com/other' };
    for (const [request, body] of [
      ['DELETE /api/links/new?purge=true'],
      ['DELETE /api/links/new/aliases/old'],
      ['PATCH /api/links/new', { customAlias: 'other' }],
      ['PATCH /api/links/new', { customAlias: 'api' }],
    ] as const) {
      const response = await call(service, request, { token, body });
      expect([response.statusCode, response.json().code], request).toEqual([451, 'link_blocked']);
    }
    for (const customAlias of ['old', 'new']) {
      const again = await shorten(service, { ...body, customAlias }, { token });
      expect(again.json().code).toBe('alias_taken');
    }
    const { customAlias: _, ...edit } = body;
    const edited = await call(service, 'PATCH /api/links/old', { token, body: edit });
    expect(edited.statusCode).toBe(200);
    await call(service, 'DELETE /api/links/new', { token });
    const purged = await call(service, 'DELETE /api/links/new?purge=true', { token });
    expect(purged.json().code).toBe('link_blocked');
    await call(service, 'POST /api/links/new/restore', { token });
    for (const path of ['/old', '/new']) {
      expect((await visit(service, path)).statusCode).toBe(451);
    }
    expect(await dataAsAdmin(service, 'GET /api/admin/blocks')).toMatchObject([
      { kind: 'link', value: 'new' },
    ]);
    await dataAsAdmin(service, 'DELETE /api/admin/blocks/link/new');
    const erased = await call(service, 'DELETE /api/links/new?purge=true', { token });
    expect(erased.statusCode).toBe(200);
  });
});

test('a block of the account with an empty ID answers 400', async () => {
  const service = await startService(ADMIN);
  const body = { kind: 'account', value: '', reason: 'Phishing' };
  const response = await callAsAdmin(service, 'POST /api/admin/blocks', body);
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
});

describe('a blocked host', () => {
  test('blocks links to it and to what is below it, however it is written', async () => {
    const service = await startService(ADMIN);
    // How hosts are written is a matter of test/unit/server/lib/host-name.test.ts.
    for (const [host, url, isBlocked] of [
      ['evil.example', 'https://evil.example/', true],
      ['evil.example', 'http://a.b.evil.example:8080/x?y#z', true],
      ['Evil.Example.', 'https://EVIL.example./', true],
      ['bücher.example', 'https://xn--bcher-kva.example/', true],
      ['192.0.2.1', 'http://[::ffff:192.0.2.1]/', true],
      ['[64:ff9b::c000:201]', 'http://[2002:c000:201::1]/', true],
      ['evil.example', 'https://notevil.example/', false],
      ['a.evil.example', 'https://evil.example/', false],
      ['evil.example', 'https://example.com/evil.example', false],
      ['2.1', 'http://192.0.2.1/', false],
    ] as const) {
      const what = `${host} and ${url}`;
      const { alias } = await makeLink(service, { originalUrl: url });
      expect((await visit(service, `/${alias}`)).statusCode, what).toBe(302);
      const { value } = await block(service, 'host', host);
      expect((await visit(service, `/${alias}`)).statusCode, what).toBe(isBlocked ? 451 : 302);
      const response = await shorten(service, { originalUrl: url });
      expect(response.statusCode, what).toBe(isBlocked ? 400 : 200);
      if (isBlocked) {
        const issues = [{ path: 'originalUrl' }];
        expect(response.json(), what).toMatchObject({ code: 'blocked_url', issues });
      }
      const unblock = `DELETE /api/admin/blocks/host/${encodeURIComponent(value)}`;
      expect((await callAsAdmin(service, unblock)).statusCode, what).toBe(200);
    }
  });

  test('can be unblocked in another spelling', async () => {
    const service = await startService(ADMIN);
    await makeLink(service, { customAlias: 'there', originalUrl: EVIL });
    await block(service, 'host', 'evil.example');
    await dataAsAdmin(service, 'DELETE /api/admin/blocks/host/EVIL.example.');
    expect((await visit(service, '/there')).statusCode).toBe(302);
    expect((await shorten(service, { originalUrl: EVIL })).statusCode).toBe(200);
  });
});

test('the links of a blocked account answer 451, and those of others do not', async () => {
  const service = await startService(ADMIN);
  const { id, token } = await createAccount(service);
  await makeLink(service, { customAlias: 'mine' }, { token });
  await makeLink(service, { customAlias: 'other' });
  await visit(service, '/mine');
  await block(service, 'account', id);
  expect((await visit(service, '/mine')).statusCode).toBe(451);
  expect((await visit(service, '/other')).statusCode).toBe(302);
});

describe('/api/admin/blocks', () => {
  test('lists blocks, newest first; another block of the same replaces the reason', async () => {
    const service = await startService(ADMIN);
    const { id } = await createAccount(service);
    await makeLink(service, { customAlias: 'Launch' });
    await block(service, 'link', 'launch');
    await service.clock.advance(1000);
    await block(service, 'host', 'evil.example');
    await service.clock.advance(1000);
    await block(service, 'account', id);
    const again = { kind: 'link', value: 'LAUNCH', reason: 'Court order' };
    await service.clock.advance(1000);
    expect(await dataAsAdmin(service, 'POST /api/admin/blocks', again)).toEqual({
      kind: 'link',
      value: 'Launch',
      reason: 'Court order',
      since: new Date(START + 3000).toISOString(),
    });
    const blocks = await dataAsAdmin(service, 'GET /api/admin/blocks');
    expect(blocks.map((each: { value: string }) => each.value)).toEqual([
      'Launch',
      id,
      'evil.example',
    ]);
  });

  test.each([
    [{ kind: 'link', value: 'unknown' }, 404, undefined],
    [{ kind: 'account', value: 'unknown' }, 404, undefined],
    [{ kind: 'host', value: 'https://evil.example/' }, 400, 'value'],
    [{ kind: 'host', value: 'evil.example:8080' }, 400, 'value'],
    [{ kind: 'host', value: 'evil.example/path' }, 400, 'value'],
    [{ kind: 'host', value: '' }, 400, 'value'],
    [{ kind: 'host', value: 'a b' }, 400, 'value'],
    [{ kind: 'mail', value: 'x' }, 400, 'kind'],
    [{ kind: 'host', value: 'evil.example', reason: '' }, 400, 'reason'],
  ])('POST answers to %j with %i', async (body, status, path) => {
    const service = await startService(ADMIN);
    const full = { reason: 'Phishing', ...body };
    const response = await callAsAdmin(service, 'POST /api/admin/blocks', full);
    expect(response.statusCode).toBe(status);
    if (path) expect(response.json().issues).toMatchObject([{ path }]);
    expect(await dataAsAdmin(service, 'GET /api/admin/blocks')).toEqual([]);
  });

  test('DELETE answers 404 to what is not blocked', async () => {
    const service = await startService(ADMIN);
    await makeLink(service, { customAlias: 'launch' });
    for (const one of ['link/unknown', 'link/launch', 'host/evil.example', 'account/a', 'mail/x']) {
      const response = await callAsAdmin(service, `DELETE /api/admin/blocks/${one}`);
      expect(response.statusCode, one).toBe(404);
    }
  });
});

describe('GET /api/admin/links', () => {
  test('finds links by the host of their target, in all accounts, without tokens', async () => {
    const service = await startService(ADMIN);
    const { id, token } = await createAccount(service);
    await makeLink(service, { customAlias: 'one', originalUrl: EVIL }, { token });
    await service.clock.advance(1);
    await makeLink(service, { customAlias: 'two', originalUrl: 'https://evil.example' });
    await service.clock.advance(1);
    await makeLink(service, { customAlias: 'three', title: 'evil.example' });
    const find = async (query: string) => {
      const { data } = (await callAsAdmin(service, `GET /api/admin/links?${query}`)).json();
      return data.map(({ alias }: { alias: string }) => alias);
    };
    expect(await find('host=EVIL.example')).toEqual(['two', 'one']);
    expect(await find('host=a.evil.example')).toEqual(['one']);
    expect(await find(`host=evil.example&accountId=${id}`)).toEqual(['one']);
    expect(await find('q=evil.example')).toEqual(['three', 'two', 'one']);
    const first = await callAsAdmin(service, 'GET /api/admin/links?host=evil.example&limit=1');
    expect(first.json().data[0]).not.toHaveProperty('authToken');
    const next = `host=evil.example&limit=1&cursor=${first.json().nextCursor}`;
    expect(await find(next)).toEqual(['one']);
    await makeLink(service, { customAlias: 'four', originalUrl: 'http://[64:ff9b::c000:201]/' });
    expect(await find('host=192.0.2.1')).toEqual(['four']);
    expect(await find('host=[::ffff:c000:201]')).toEqual(['four']);
    const [record] = await dataAsAdmin(service, 'GET /api/admin/links?host=a.evil.example');
    expect(record).toMatchObject({ targetUrl: new URL(EVIL).href });
    expect(record).toMatchObject({ alias: 'one', accountId: id, originalUrl: EVIL });
    for (const [query, path] of [
      ['host=https://evil.example', 'host'],
      ['cursor=bm90aGluZw', 'cursor'],
    ]) {
      const invalid = await callAsAdmin(service, `GET /api/admin/links?${query}`);
      expect([invalid.statusCode, invalid.json().issues[0].path]).toEqual([400, path]);
    }
  });
});
