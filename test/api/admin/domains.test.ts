import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../server/lib/time.ts';
import type { NewLink } from '../../../server/store/link-calls.ts';
import { ADMINISTRATOR, addLink, newLink } from '../../store/contract.ts';
import { call, START, startService, type TestService } from '../support.ts';
import { ADMIN, callAsAdmin, createAccount, dataAsAdmin } from './as-admin.ts';

const DOMAINS = '/api/admin/domains';
const PNG = 'data:image/png;base64,iVBORw0KGgoAAAA=';
const plain = {
  ...{ scheme: null, brand: null, rootUrl: null, notFoundUrl: null, goneUrl: null },
  ...{ accounts: 'all', isDefault: false, created: '2026-11-20T12:00:00.000Z', removed: null },
};

const add = (service: TestService, host: string) =>
  dataAsAdmin(service, `POST ${DOMAINS}`, { host });
const remove = (service: TestService, host: string, query = '') =>
  callAsAdmin(service, `DELETE ${DOMAINS}/${encodeURIComponent(host)}${query}`);
const hostsOf = async (service: TestService) =>
  (await dataAsAdmin(service, `GET ${DOMAINS}`)).map(({ host }: { host: string }) => host);
const asks = async (service: TestService, domain: string) =>
  (await call(service, `GET /api/domains/ask?domain=${encodeURIComponent(domain)}`)).statusCode;

function linkOn({ store }: TestService, alias: string, link: Partial<NewLink['link']> = {}) {
  return addLink(store, newLink(alias, { link }));
}

describe('domains', () => {
  test('are that of BASE_URL and those that administrators add, with what is set for them', async () => {
    const service = await startService(ADMIN);
    const { id, token } = await createAccount(service);
    const [first] = await dataAsAdmin(service, `GET ${DOMAINS}`);
    expect(first).toEqual({
      ...plain,
      ...{ host: 's.example', displayHost: 's.example', baseUrl: 'https://s.example' },
      ...{ isDefault: true, created: null },
    });
    const body = {
      host: ' B\u00fccher.example:8080',
      scheme: 'http',
      brand: { name: ' B\u00fccher ', logo: PNG, color: '#0B6B57' },
      rootUrl: 'example.com',
      notFoundUrl: 'https://example.com/lost?',
      accounts: [id, id],
    };
    const added = await dataAsAdmin(service, `POST ${DOMAINS}`, body);
    expect(added).toEqual({
      ...plain,
      ...{ host: 'xn--bcher-kva.example:8080', displayHost: 'b\u00fccher.example:8080' },
      ...{ baseUrl: 'http://xn--bcher-kva.example:8080', scheme: 'http' },
      brand: { name: 'B\u00fccher', logo: PNG, color: '#0b6b57' },
      ...{ rootUrl: 'https://example.com/', notFoundUrl: 'https://example.com/lost?' },
      accounts: [id],
    });
    await add(service, 'go.example');
    expect(await hostsOf(service)).toEqual([
      's.example',
      'go.example',
      'xn--bcher-kva.example:8080',
    ]);

    const own = await call(service, 'GET /api/domains', { token });
    expect(own.json().data).toEqual([
      {
        host: 's.example',
        displayHost: 's.example',
        baseUrl: 'https://s.example',
        isDefault: true,
      },
      {
        ...{ host: 'xn--bcher-kva.example:8080', displayHost: 'b\u00fccher.example:8080' },
        ...{ baseUrl: 'http://xn--bcher-kva.example:8080', isDefault: false },
      },
      {
        ...{ host: 'go.example', displayHost: 'go.example', baseUrl: 'https://go.example' },
        isDefault: false,
      },
    ]);
    const anonymous = (await call(service, 'GET /api/domains')).json().data;
    expect(anonymous.map(({ host }: { host: string }) => host)).toEqual([
      's.example',
      'go.example',
    ]);
    const audit = await dataAsAdmin(service, 'GET /api/admin/audit');
    expect(audit[1]).toMatchObject({
      action: 'domain.add',
      target: 'xn--bcher-kva.example:8080',
      details: { brand: { logo: 'data:' }, rootUrl: 'https://example.com', scheme: 'http' },
    });
  });

  test('need a host', async () => {
    const service = await startService(ADMIN);
    for (const host of [
      ...['https://go.example', 'go.example/path', '*.go.example', 'go..example', 'go example'],
      ...['user@go.example', 'go.example:99999', ''],
    ]) {
      const response = await callAsAdmin(service, `POST ${DOMAINS}`, { host });
      const { issues } = response.json();
      expect([response.statusCode, issues[0].path], host).toEqual([400, 'host']);
    }
  });

  test('exist once', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    for (const host of [
      'go.example',
      'GO.example.',
      'go.example:443',
      's.example',
      'S.Example:80',
    ]) {
      const response = await callAsAdmin(service, `POST ${DOMAINS}`, { host });
      expect([response.statusCode, response.json().code], host).toEqual([409, 'domain_exists']);
    }
  });

  test('are not edited with an invalid value', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    for (const [path, body] of [
      ['accounts', { accounts: ['nobody'] }],
      ['rootUrl', { rootUrl: 'https://GO.example/start' }],
      ['goneUrl', { goneUrl: 'javascript:alert(1)' }],
      ['scheme', { scheme: 'ftp' }],
      ['brand.color', { brand: { color: '#ffd100' } }],
      ['brand.color', { brand: { color: 'red' } }],
      ['brand.logo', { brand: { logo: 'data:image/png;base64,AAAA' } }],
      ['brand.logo', { brand: { logo: 'https://example.com/logo.png' } }],
      ['host', { host: 'other.example' }],
    ] as const) {
      const response = await callAsAdmin(service, `PATCH ${DOMAINS}/go.example`, body);
      expect([response.statusCode, response.json().issues[0].path]).toEqual([400, path]);
    }
    expect((await dataAsAdmin(service, `GET ${DOMAINS}`))[1]).toMatchObject(plain);
  });

  test('are edited: null is the default, and what is absent stays', async () => {
    const service = await startService(ADMIN);
    await dataAsAdmin(service, `POST ${DOMAINS}`, { host: 'go.example', scheme: 'http' });
    const edit = (body: object) => dataAsAdmin(service, `PATCH ${DOMAINS}/GO.example`, body);
    const goneUrl = 'https://example.com/gone';
    expect(await edit({ goneUrl })).toMatchObject({ goneUrl, scheme: 'http' });
    expect(await edit({ scheme: null })).toMatchObject({ goneUrl, baseUrl: 'https://go.example' });
    expect(await edit({ goneUrl: null, brand: { name: 'Go' } })).toMatchObject({
      goneUrl: null,
      brand: { name: 'Go', logo: null, color: null },
    });
    const unknown = await callAsAdmin(service, `PATCH ${DOMAINS}/other.example`, {});
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found']);
  });

  test('are no hosts that health checks and proxies ask for', async () => {
    const service = await startService(ADMIN);
    for (const [host, message] of [
      ['localhost', 'Names this machine itself.'],
      ['localhost:8080', 'Names this machine itself.'],
      ['127.1', 'Names this machine itself.'],
      ['[::ffff:127.0.0.1]', 'Names this machine itself.'],
      ['app.localhost', 'Names this machine itself.'],
      ['s.example:8080', 'Is the host of BASE_URL, whatever the port.'],
      ['S.example.:8080', 'Is the host of BASE_URL, whatever the port.'],
    ]) {
      const refused = await callAsAdmin(service, `POST ${DOMAINS}`, { host });
      const issues = [{ path: 'host', message }];
      expect([refused.statusCode, refused.json().issues], host).toEqual([400, issues]);
    }
    expect(await hostsOf(service)).toEqual(['s.example']);
  });

  test('do not keep health checks and proxies on this machine from an answer', async () => {
    const service = await startService(ADMIN);
    const paths = ['/api/health', '/api/health/ready', '/api/domains/ask?domain=go.example'];
    const statuses = (remoteAddress: string) =>
      Promise.all(
        paths.map(async (url) => {
          const headers = { host: 'go.example' };
          return (await service.app.inject({ url, headers, remoteAddress })).statusCode;
        }),
      );
    await add(service, 'go.example');
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await statuses(own), own).toEqual([200, 200, 200]);
    }
    expect(await statuses('192.0.2.1')).toEqual([404, 404, 404]);
    await remove(service, 'go.example');
    expect(await statuses('127.0.0.1')).toEqual([200, 200, 200]);
    const headers = { host: 'go.example' };
    const other = { url: '/api/account', headers, remoteAddress: '127.0.0.1' };
    expect((await service.app.inject(other)).statusCode).toBe(404);
  });

  test('lead visitors to each other, but not in a circle', async () => {
    const service = await startService(ADMIN);
    for (const host of ['a.example', 'b.example', 'c.example']) await add(service, host);
    const edit = async (host: string, body: Record<string, string>) => {
      const response = await callAsAdmin(service, `PATCH ${DOMAINS}/${host}`, body);
      return [response.statusCode, response.json().issues?.[0].path];
    };
    const notFoundUrl = 'https://b.example/lost';
    expect(await edit('a.example', { notFoundUrl })).toEqual([200, undefined]);
    expect(await edit('b.example', { goneUrl: 'https://c.example/gone' })).toEqual([
      200,
      undefined,
    ]);
    for (const field of ['notFoundUrl', 'goneUrl']) {
      expect(await edit('c.example', { [field]: 'https://A.example:443/x' })).toEqual([400, field]);
    }
    expect(await edit('c.example', { notFoundUrl: 'https://a.example/' })).toEqual([
      200,
      undefined,
    ]);
    expect(await edit('a.example', { rootUrl: 'https://c.example/x' })).toEqual([400, 'rootUrl']);
    expect(await edit('c.example', { goneUrl: 'https://s.example/x' })).toEqual([200, undefined]);
  });

  test('lead visitors to each other through many of them, which is soon checked', async () => {
    const service = await startService(ADMIN);
    for (let index = 40; index > 0; index--) {
      const next = `https://go-${index + 1}.example/x`;
      const body = { host: `go-${index}.example`, notFoundUrl: next, goneUrl: next };
      await dataAsAdmin(service, `POST ${DOMAINS}`, body);
    }
    const last = { host: 'go-41.example', goneUrl: 'https://go-1.example/x' };
    const refused = await callAsAdmin(service, `POST ${DOMAINS}`, last);
    expect(refused.json().issues).toMatchObject([{ path: 'goneUrl' }]);
  });

  test('that are added again do not close a circle', async () => {
    const service = await startService(ADMIN);
    const notFoundUrl = 'https://b.example/x';
    await dataAsAdmin(service, `POST ${DOMAINS}`, { host: 'a.example', notFoundUrl });
    await remove(service, 'a.example');
    await add(service, 'b.example');
    // As it could be done on another server at the same time.
    const goneUrl = 'https://a.example/x';
    await service.store.administration.editDomain('b.example', { goneUrl });
    const again = await callAsAdmin(service, `POST ${DOMAINS}`, { host: 'a.example' });
    expect([again.statusCode, again.json().issues?.[0].path]).toEqual([400, 'notFoundUrl']);
    const changed = { host: 'a.example', notFoundUrl: null };
    expect((await callAsAdmin(service, `POST ${DOMAINS}`, changed)).statusCode).toBe(200);
  });

  test('are forgotten, if no link ever had an alias there', async () => {
    const service = await startService(ADMIN);
    for (const host of ['a.example', 'b.example', 'c.example']) await add(service, host);
    await remove(service, 'a.example');
    const { id: linkId, accountId } = await linkOn(service, 'c.example/sale');
    await service.store.purgeLink({ linkId, accountId, by: ADMINISTRATOR });
    for (const host of ['a.example', 'b.example']) {
      expect((await remove(service, host, '?forget=true')).json().data).toMatchObject({
        isRemoved: true,
      });
    }
    const used = await remove(service, 'c.example', '?forget=true');
    expect([used.statusCode, used.json().code]).toEqual([409, 'domain_in_use']);
    expect((await remove(service, 'c.example', '?forget=true&links=keep')).statusCode).toBe(400);
    expect((await remove(service, 'b.example', '?forget=true')).statusCode).toBe(404);
    expect(await hostsOf(service)).toEqual(['s.example', 'c.example']);
  });

  test('that of BASE_URL is neither edited nor removed', async () => {
    const service = await startService(ADMIN);
    const edited = await callAsAdmin(service, `PATCH ${DOMAINS}/s.example`, { rootUrl: null });
    expect([edited.statusCode, edited.json().code]).toEqual([400, 'invalid_request']);
    const removed = await remove(service, 's.example', '?links=keep');
    expect([removed.statusCode, removed.json().code]).toEqual([400, 'invalid_request']);
    expect(await hostsOf(service)).toEqual(['s.example']);
  });

  test('are confirmed to who asks for certificates, without a token and without telling more', async () => {
    const service = await startService(ADMIN);
    const { id } = await createAccount(service);
    await dataAsAdmin(service, `POST ${DOMAINS}`, { host: 'go.example', accounts: [id] });
    await add(service, 'port.example:8443');
    for (const host of [
      'go.example',
      'GO.example.',
      'www.go.example',
      's.example',
      'port.example',
    ]) {
      expect(await asks(service, host), host).toBe(200);
    }
    for (const host of ['other.example', 'sub.go.example', 'constructor']) {
      expect(await asks(service, host), host).toBe(404);
    }
    expect((await call(service, 'GET /api/domains/ask')).statusCode).toBe(400);
    expect(await asks(service, '')).toBe(400);
    const body = (await call(service, 'GET /api/domains/ask?domain=go.example')).json();
    expect(body).toMatchObject({ success: true, data: null });
  });
});

describe('removing a domain', () => {
  test('without links needs nothing else, and it can be added again', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    expect((await remove(service, 'GO.example')).json().data).toMatchObject({ isRemoved: true });
    expect((await remove(service, 'go.example')).statusCode).toBe(404);
    expect((await callAsAdmin(service, `PATCH ${DOMAINS}/go.example`, {})).statusCode).toBe(404);
    const [, removed] = await dataAsAdmin(service, `GET ${DOMAINS}`);
    expect(removed).toMatchObject({ host: 'go.example', removed: '2026-11-20T12:00:00.000Z' });
    expect((await call(service, 'GET /api/domains')).json().data).toHaveLength(1);
    expect(await add(service, 'go.example')).toMatchObject({ removed: null });
  });

  test('with links is a 409 unless the request says what happens to them', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    const { id } = await createAccount(service);
    for (const alias of ['go.example/one', 'go.example/two', 'other']) {
      await linkOn(service, alias, { accountId: id });
    }
    const refused = await remove(service, 'go.example');
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'domain_in_use']);
    expect(refused.json().message).toContain('has 2 links');
    const count = (domain: string) =>
      dataAsAdmin(service, `GET /api/admin/links/count?domain=${domain}`);
    expect(await count('go.example')).toEqual({ count: 2, isComplete: true });
    expect(await count('s.example')).toEqual({ count: 1, isComplete: true });
    const unknown = await callAsAdmin(service, 'GET /api/admin/links/count?domain=x.example');
    expect(unknown.statusCode).toBe(400);
    expect((await remove(service, 'go.example', '?links=keep')).json().data).toEqual({
      ...{ isRemoved: true, moved: 0, stayed: [], stayedCount: 0 },
    });
    expect(await service.store.findLink('go.example/one')).toMatchObject({ accountId: id });
    // Its links still answer, and over HTTPS.
    expect(await asks(service, 'go.example')).toBe(200);
    expect(await service.store.isAliasFree('go.example/one')).toBe(false);
  });

  test('moves its links where their aliases are free, and reports the others', async () => {
    const service = await startService(ADMIN);
    await service.clock.passDays(32);
    const now = service.clock.now();
    for (const host of ['go.example', 'new.example']) await add(service, host);
    const { id } = await createAccount(service);
    await linkOn(service, 'go.example/Free', { accountId: id });
    await linkOn(service, 'go.example/Taken');
    // Deleted: the first one can still be restored.
    await linkOn(service, 'go.example/deleted', { deletedAt: now - DAY_MS });
    await linkOn(service, 'go.example/gone', { deletedAt: now - 32 * DAY_MS });
    await linkOn(service, 'new.example/taken', { accountId: 'somebody' });
    const blocked = await linkOn(service, 'go.example/blocked', { accountId: id });
    await service.store.administration.addBlock({
      ...{ kind: 'link', value: blocked.id, reason: 'Phishing', since: 0 },
    });
    const response = await remove(service, 'go.example', '?links=move&to=NEW.example');
    expect(response.json().data).toEqual({
      isRemoved: true,
      moved: 2,
      stayed: expect.arrayContaining([
        { shortUrl: 'https://go.example/Taken', code: 'alias_taken' },
        { shortUrl: 'https://go.example/blocked', code: 'link_blocked' },
      ]),
      stayedCount: 2,
    });
    const moved = await service.store.findLink('go.example/free');
    expect(moved).toMatchObject({
      alias: 'new.example/Free',
      previousAliases: ['go.example/Free'],
    });
    // The account did not ask for it.
    expect(await service.store.countLinks(id, START)).toMatchObject({ month: 2 });
    // What stayed can be moved later.
    await service.store.administration.removeBlock({ kind: 'link', value: blocked.id });
    const again = await remove(service, 'go.example', '?links=move&to=new.example');
    expect(again.json().data).toMatchObject({ isRemoved: true, moved: 1, stayedCount: 1 });
  });

  test('moves no link to a path of the server itself', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    await linkOn(service, 'go.example/Dashboard');
    const { data } = (await remove(service, 'go.example', '?links=move&to=s.example')).json();
    expect(data).toMatchObject({ moved: 0, stayed: [{ code: 'alias_taken' }] });
  });

  test('moves many links in several requests, of which the last one removes the domain', async () => {
    const service = await startService(ADMIN);
    for (const host of ['go.example', 'new.example']) await add(service, host);
    const links = Array.from({ length: 1010 }, (_, index) =>
      linkOn(service, `go.example/l-${index}`, { accountId: `account-${index % 20}` }),
    );
    await Promise.all(links);
    const query = '?links=move&to=new.example';
    const first = (await remove(service, 'go.example', query)).json().data;
    expect(first).toMatchObject({ isRemoved: false, moved: 1000 });
    expect(await call(service, 'GET /api/domains')).toMatchObject({ statusCode: 200 });
    const second = (await remove(service, 'go.example', query)).json().data;
    expect(second).toMatchObject({ isRemoved: true, moved: 10, stayedCount: 0 });
    const count = await dataAsAdmin(service, 'GET /api/admin/links/count?domain=new.example');
    expect(count.count).toBe(1010);
  });

  test('needs another domain to move links to', async () => {
    const service = await startService(ADMIN);
    await add(service, 'go.example');
    for (const [query, path] of [
      ['?links=move', 'to'],
      ['?links=move&to=go.example', 'to'],
      ['?links=move&to=unknown.example', 'to'],
      ['?to=s.example', 'to'],
      ['?links=delete', 'links'],
    ]) {
      const response = await remove(service, 'go.example', query);
      expect([response.statusCode, response.json().issues[0].path], query).toEqual([400, path]);
    }
  });
});
