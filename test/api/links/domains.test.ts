import { expect, test, vi } from 'vitest';
import { domainOf } from '../../store/contract/domains.ts';
import { call, makeLink, shorten, startService, type TestService } from '../support.ts';
import { visit } from '../visits/visiting.ts';

/** An account with the link `first`, the domain go.example, and own.example, which only another account can use. */
async function startWithDomains(env: Record<string, string> = {}) {
  const service = await startService({ env });
  const { administration } = service.store;
  const { authToken: token } = await makeLink(service, { customAlias: 'first' });
  const other = await makeLink(service);
  const { accountId = '' } = (await service.store.findLink(other.alias)) ?? {};
  await administration.addDomain(domainOf('go.example'));
  await administration.addDomain(domainOf('own.example', { accounts: [accountId] }));
  const create = (body: Record<string, unknown>) => makeLink(service, body, { token });
  return { service, token, otherToken: other.authToken, create };
}

/** Holds a new link and an edit back when their passwords are hashed, just before the store has them. */
function holdWrites({ store }: TestService) {
  const added = Promise.withResolvers<void>();
  const edited = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { addLink, editLink } = store;
  vi.spyOn(store, 'addLink').mockImplementationOnce(async (...given) => {
    added.resolve();
    await released.promise;
    return addLink.apply(store, given);
  });
  vi.spyOn(store, 'editLink').mockImplementationOnce(async (...given) => {
    edited.resolve();
    await released.promise;
    return editLink.apply(store, given);
  });
  return { haveArrived: Promise.all([added.promise, edited.promise]), release: released.resolve };
}

/** Where a visit leads, or its status. */
async function leadsTo(service: TestService, host: string, path: string) {
  const { statusCode, headers } = await visit(service, path, { headers: { host } });
  return statusCode === 302 ? headers.location : statusCode;
}

test('an alias is there once on each domain, and a visit belongs to the domain of its Host', async () => {
  const { service, token, otherToken, create } = await startWithDomains();
  const own = {
    customAlias: 'Sale',
    originalUrl: 'https://example.com/own',
    domain: 'own.example',
  };
  const records = [
    await create({ customAlias: 'Sale', originalUrl: 'https://example.com/first' }),
    await create({
      customAlias: 'Sale',
      originalUrl: 'https://example.com/go',
      domain: 'Go.example',
    }),
    await makeLink(service, own, { token: otherToken }),
  ];
  expect(records).toMatchObject([
    { alias: 'Sale', customAlias: 'Sale', domain: 's.example', shortUrl: 'https://s.example/Sale' },
    {
      alias: 'Sale',
      customAlias: 'Sale',
      domain: 'go.example',
      shortUrl: 'https://go.example/Sale',
    },
    { domain: 'own.example', shortUrl: 'https://own.example/Sale' },
  ]);
  expect(await leadsTo(service, 's.example', '/sale')).toBe('https://example.com/first');
  expect(await leadsTo(service, 'go.example', '/sale')).toBe('https://example.com/go');
  expect(await leadsTo(service, 'own.example', '/sale')).toBe('https://example.com/own');
  expect(await leadsTo(service, '10.0.0.1', '/sale')).toBe('https://example.com/first');
  expect(await leadsTo(service, 'go.example', '/first')).toBe(404);

  const taken = await shorten(
    service,
    { originalUrl: 'example.com', customAlias: 'SALE', domain: 'go.example' },
    { token },
  );
  expect(taken.json()).toMatchObject({
    code: 'alias_taken',
    message: 'The alias "SALE" is already taken by another link of this account.',
    suggestions: ['SALE-2', 'SALE-3', 'SALE-4'],
  });
});

test('a path never leads to an alias of another domain', async () => {
  const { service, create } = await startWithDomains();
  await create({ customAlias: 'sale', domain: 'go.example' });
  for (const path of ['/go.example/sale', '/go.example%2Fsale', '/go.example%2fsale+']) {
    for (const host of ['s.example', 'go.example']) {
      expect([path, host, await leadsTo(service, host, path)]).toEqual([path, host, 404]);
    }
  }
});

test.each([
  ['unknown', { domain: 'nowhere.example' }],
  ['of another account', { domain: 'own.example' }],
  ['no host', { domain: 'a b' }],
])('a domain that is %s is an invalid_domain, whatever is done with it', async (_, body) => {
  const { service, token } = await startWithDomains();
  const refused = await shorten(service, { originalUrl: 'example.com', ...body }, { token });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { code: 'invalid_domain', issues: [{ path: 'domain' }] },
  ]);
  const edited = await call(service, 'PATCH /api/links/first', { token, body });
  expect([edited.statusCode, edited.json().code]).toEqual([400, 'invalid_domain']);
});

test('URLs on any domain of the server are a loop', async () => {
  const { service, token } = await startWithDomains();
  for (const originalUrl of ['https://go.example/x', 'http://own.example', 'https://s.example/y']) {
    const refused = await shorten(service, { originalUrl }, { token });
    expect([originalUrl, refused.json().code]).toEqual([originalUrl, 'invalid_url']);
  }
});

test('requests name the domain of an alias in their path', async () => {
  const { service, token, create } = await startWithDomains();
  await create({ customAlias: 'sale', title: 'On s.example' });
  await create({ customAlias: 'sale', title: 'On go.example', domain: 'go.example' });
  const send = (request: string, body?: unknown) =>
    call(service, request, { token, ...(body !== undefined && { body }) });
  const on = '?domain=go.example';
  expect((await send('GET /api/links/sale')).json().data.title).toBe('On s.example');
  expect((await send(`GET /api/links/sale${on}`)).json().data.title).toBe('On go.example');
  const edited = await send(`PATCH /api/links/sale${on}`, { customAlias: 'spring' });
  expect(edited.json().data).toMatchObject({
    shortUrl: 'https://go.example/spring',
    previousAliases: ['sale'],
  });
  expect((await send(`GET /api/links/sale/stats${on}`)).statusCode).toBe(200);
  expect((await send(`DELETE /api/links/spring/aliases/sale${on}`)).json().data).toMatchObject({
    previousAliases: [],
  });
  expect((await send(`DELETE /api/links/spring${on}`)).json().data.status).toBe('deleted');
  expect((await send(`POST /api/links/spring/restore${on}`)).json().data.status).toBe('active');
  expect((await send('GET /api/links/spring')).statusCode).toBe(404);
  expect((await send('GET /api/links/sale?domain=nowhere.example')).json().code).toBe(
    'invalid_domain',
  );
});

test('a link moves to another domain, and its previous short URL still leads to it', async () => {
  const { service, token, create } = await startWithDomains();
  await create({ customAlias: 'sale', password: 'open', originalUrl: 'https://example.com/moved' });
  const body = { domain: 'go.example' };
  const { data } = (await call(service, 'PATCH /api/links/sale', { token, body })).json();
  expect(data).toMatchObject({
    shortUrl: 'https://go.example/sale',
    previousAliases: ['s.example/sale'],
  });
  // The form goes to where it came from.
  const page = await visit(service, '/sale', { headers: { host: 's.example' } });
  expect(page.body).toContain('action="/sale"');
  const form = { password: 'open' };
  const sent = await visit(service, '/sale', { headers: { host: 's.example' }, form });
  expect([sent.statusCode, sent.headers.location]).toEqual([303, 'https://example.com/moved']);
  const removed = await call(
    service,
    'DELETE /api/links/sale/aliases/s.example%2Fsale?domain=go.example',
    { token },
  );
  expect(removed.json().data.previousAliases).toEqual([]);
  expect(await leadsTo(service, 's.example', '/sale')).toBe(404);
});

test('a link on a domain that its account can use no more keeps its aliases, and gets no others', async () => {
  const { service, token, create } = await startWithDomains();
  await create({ customAlias: 'old', domain: 'go.example' });
  const edit = async (alias: string, body: object) => {
    const request = `PATCH /api/links/${alias}?domain=go.example`;
    const response = await call(service, request, { token, body });
    return response.json().code ?? response.json().data.shortUrl;
  };
  expect(await edit('old', { customAlias: 'sale' })).toBe('https://go.example/sale');
  const { administration } = service.store;
  await administration.editDomain('go.example', { accounts: ['somebody'] });
  expect(await edit('sale', { customAlias: 'login' })).toBe('invalid_domain');
  expect(await edit('sale', { customAlias: 'login', domain: 'go.example' })).toBe('invalid_domain');
  expect(await edit('sale', { customAlias: 'OLD', title: 'Sale' })).toBe('https://go.example/OLD');
  await administration.removeDomain('go.example', service.clock.now());
  expect(await edit('old', { customAlias: 'login' })).toBe('invalid_domain');
  expect(await edit('old', { customAlias: 'login', domain: 's.example' })).toBe(
    'https://s.example/login',
  );
});

test('API, dashboard and the form are there on the domain of BASE_URL alone', async () => {
  const { service, token } = await startWithDomains();
  const paths = ['/api/health', '/api/links', '/api/docs', '/dashboard', '/dashboard/admin'];
  for (const path of paths) {
    // Health checks on the same machine get their answer.
    const remoteAddress = '192.0.2.1';
    const headers = { host: 'go.example', authorization: `Bearer ${token}` };
    expect([
      path,
      (await service.app.inject({ url: path, headers, remoteAddress })).statusCode,
    ]).toEqual([path, 404]);
  }
  const form = { originalUrl: 'https://example.com' };
  const host = { host: 'go.example' };
  expect((await visit(service, '/', { headers: host, form })).statusCode).toBe(404);
  const page = await visit(service, '/', { headers: host });
  expect([page.statusCode, page.body.includes('<form')]).toEqual([200, false]);
  expect(page.body).toContain('go.example</bdi></h1>');
  for (const known of ['s.example', '127.0.0.1:2878']) {
    const response = await service.app.inject({ url: '/api/health', headers: { host: known } });
    expect([known, response.statusCode]).toEqual([known, 200]);
  }
});

test('a domain sends visitors of its root, of unknown links and of ended ones where it says', async () => {
  const { service, create } = await startWithDomains();
  const urls = {
    rootUrl: 'https://example.com/root',
    notFoundUrl: 'https://example.com/unknown',
    goneUrl: 'https://example.com/ended',
  };
  await service.store.administration.editDomain('go.example', urls);
  await create({ customAlias: 'sale', domain: 'go.example', expiresInMinutes: 1 });
  await service.clock.advance(60_000);
  expect(await leadsTo(service, 'go.example', '/')).toBe(urls.rootUrl);
  expect(await leadsTo(service, 'go.example', '/nobody')).toBe(urls.notFoundUrl);
  expect(await leadsTo(service, 'go.example', '/sale')).toBe(urls.goneUrl);
  for (const path of ['/sale+', '/sale/qr.svg'])
    expect(await leadsTo(service, 'go.example', path)).toBe(410);
  expect(await leadsTo(service, 's.example', '/nobody')).toBe(404);
  await service.store.administration.addDomain(domainOf('xn--bcher-kva.example'));
  const home = await visit(service, '/', { headers: { host: 'xn--bcher-kva.example' } });
  expect(home.body).toContain('<h1><bdi dir="ltr">b\u00fccher.example</bdi></h1>');
  const headers = { host: 'go.example', accept: 'application/json' };
  expect((await visit(service, '/nobody', { headers })).statusCode).toBe(404);
});

test('X-Forwarded-Host counts from proxies in TRUST_PROXY only, for every kind of visit', async () => {
  const { service, create } = await startWithDomains({ TRUST_PROXY: '127.0.0.1' });
  await create({
    customAlias: 'sale',
    originalUrl: 'https://example.com/go',
    domain: 'go.example',
  });
  await create({ customAlias: 'sale', originalUrl: 'https://example.com/first' });
  const targetOf = async (remoteAddress: string) => {
    const headers = { host: 's.example', 'x-forwarded-host': 'go.example' };
    return (await visit(service, '/sale', { headers, remoteAddress })).headers.location;
  };
  for (const [from, target] of [
    ['127.0.0.1', 'https://example.com/go'],
    ['192.0.2.1', 'https://example.com/first'],
  ] as const) {
    expect([from, await targetOf(from)]).toEqual([from, target]);
  }
});

test('a link whose password is hashed gets no domain that is removed, or taken away, meanwhile', async () => {
  const { service, token } = await startWithDomains();
  const { administration } = service.store;
  const body = { originalUrl: 'https://example.com/', domain: 'go.example', password: 'secret' };
  await makeLink(service, { customAlias: 'mine' }, { token });
  const edit = { domain: 'go.example', password: 'secret' };
  const results = async (change: () => Promise<unknown>) => {
    const { haveArrived, release } = holdWrites(service);
    const calls = [
      shorten(service, { ...body, customAlias: 'new' }, { token }),
      call(service, 'PATCH /api/links/mine', { body: edit, token }),
    ];
    await haveArrived;
    await change();
    release();
    return Promise.all(calls.map(async (each) => (await each).json().code));
  };
  const refused = ['invalid_domain', 'invalid_domain'];
  expect(await results(() => administration.editDomain('go.example', { accounts: [] }))).toEqual(
    refused,
  );
  await administration.editDomain('go.example', { accounts: 'all' });
  expect(await results(() => administration.removeDomain('go.example', 0))).toEqual(refused);
  expect(await administration.hasAliases('go.example')).toBe(false);
});
