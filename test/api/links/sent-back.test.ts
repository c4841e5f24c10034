import { describe, expect, test } from 'vitest';
import { call, makeLink, sharedService, shorten, startService } from '../support.ts';
import { expectHits, visit } from '../visits/visiting.ts';
import { sharedWithLink, startWithLink } from './with-link.ts';

const LINK = { originalUrl: 'https://example.com/page' };
/** What a record says of a link that has none of these. */
const NONE = { customAlias: '', description: null, customGtmId: null, goneUrl: null, card: null };

describe('a new link', () => {
  const withLink = sharedWithLink();

  test('can have the values with which a record says that something is not set', async () => {
    const service = await startService();
    const plain = await makeLink(service, LINK);
    const { authToken: token } = plain;
    const record = await makeLink(service, { ...LINK, ...NONE }, { token });
    expect(record).toMatchObject(NONE);
    expect(record.alias).toMatch(/^\w{7}$/);
    const batch = await call(service, 'POST /api/links/batch', {
      token,
      body: [{ ...LINK, ...NONE }],
    });
    expect(batch.json().data).toMatchObject([{ status: 200, data: NONE }]);
  });

  // test/unit/shared/links/shorten-request.test.ts has all fields.
  test('is not created if a field is null: that is what JSON makes of NaN', async () => {
    const field = 'expiresInDays';
    const { service, token } = withLink();
    const response = await shorten(service, { ...LINK, [field]: null }, { token });
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    expect(response.json().issues).toEqual([
      { path: field, message: expect.stringMatching(/^Must not be null: leave the field out/) },
    ]);
    const batch = await call(service, 'POST /api/links/batch', {
      token,
      body: [{ ...LINK, [field]: null }],
    });
    expect(batch.json().data).toMatchObject([{ status: 400, code: 'invalid_request' }]);
    const links = await call(service, 'GET /api/links', { token });
    expect(links.json().data).toHaveLength(1);
  });
});

describe('PATCH', () => {
  const withLink = sharedWithLink();

  const shared = sharedService();

  test.each<[string, Record<string, unknown>]>([
    ['a plain link', {}],
    ['one with a generated alias', { customAlias: '' }],
    [
      'one with everything',
      {
        customAlias: 'everything',
        title: 'Title',
        description: 'Description',
        tags: ['a', 'b'],
        waitTimer: 5,
        customGtmId: 'GTM-ABC1234',
        password: 'secret',
        startsAt: '2026-12-01T00:00:00Z',
        expiresAt: '2027-01-01T00:00:00Z',
        maxVisits: 7,
        goneUrl: 'https://example.com/gone',
        card: { title: 'Card' },
        rules: [{ device: 'phone', originalUrl: 'https://example.com/phone' }],
        forwardQuery: true,
        generateQR: true,
      },
    ],
  ])('accepts the record of %s as it is', async (_, body) => {
    const service = shared();
    const created = await makeLink(service, { ...LINK, ...body });
    const { authToken: token, alias } = created;
    const path = `/api/links/${alias}`;
    const read = (await call(service, `GET ${path}`, { token })).json().data;
    for (const record of [created, read]) {
      const { version, modified, ...others } = record;
      const edited = await call(service, `PATCH ${path}`, { token, body: others });
      expect(edited.statusCode, edited.body).toBe(200);
      const { hits, ...fields } = read;
      expect(edited.json().data).toMatchObject({
        ...fields,
        version: expect.any(Number),
        modified: expect.any(String),
      });
    }
  });

  test('accepts the whole record that it has answered', async () => {
    const { edit } = await startWithLink();
    const { data } = (await edit({ title: 'One' })).json();
    expect((await edit({ ...data, title: 'Two' })).json().data.title).toBe('Two');
  });

  test('accepts the record of a link that has expired, and of one that people have visited', async () => {
    const { service, token, edit } = await startWithLink({ expiresInHours: 1 });
    const read = async () => (await call(service, 'GET /api/links/launch', { token })).json().data;
    const before = await read();
    await visit(service, '/launch');
    await expectHits(service, 'launch', 1);
    expect((await edit({ ...before, title: 'One' })).json().data.title).toBe('One');
    await service.clock.advance(3_600_000);
    const expired = await read();
    expect(expired.status).toBe('expired');
    const edited = await edit({ ...expired, title: 'Two' });
    expect(edited.statusCode, edited.body).toBe(200);
    expect(edited.json().data.expiresAt).toBe(expired.expiresAt);
    // But it can't be set to another time in the past.
    expect((await edit({ expiresAt: '2026-01-01T00:00:00Z' })).json().code).toBe('expires_in_past');
  });

  test.each([
    ['id', 'other'],
    ['alias', 'other'],
    ['shortUrl', 'https://s.example/other'],
    ['hits', 1],
    ['hits', null],
    ['version', 7],
    ['status', 'deleted'],
    ['hasPassword', true],
    ['created', '2026-01-01T00:00:00.000Z'],
    ['modified', null],
    ['previousAliases', ['old']],
    ['newAuthToken', 'other'],
    ['qrCode', 'data:,'],
  ])('says that %s is read-only if it is %j', async (field, value) => {
    const { edit, service } = withLink();
    const response = await edit({ title: 'Edited', [field]: value });
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    expect(response.json().issues).toEqual([
      { path: field, message: expect.stringContaining('read-only') },
    ]);
    expect((await service.store.findLink('launch'))?.title).toBe('');
  });

  test('with an empty alias changes none', async () => {
    const { edit } = await startWithLink();
    expect((await edit({ customAlias: '' })).json().data).toMatchObject({
      alias: 'launch',
      customAlias: 'launch',
      previousAliases: [],
    });
  });
});

describe('an empty query parameter', () => {
  const withLink = sharedWithLink();

  test.each([
    '/api/links?q=&tag=&status=&domain=&sort=&limit=&cursor=&include=&originalUrl=',
    '/api/links?limit=&limit=2',
    '/api/links/launch?domain=',
    '/api/links/launch/stats?from=&to=&unit=&timeZone=',
    '/api/stats?unit=',
    '/api/links/export?format=',
  ])('is one that was left out: %s', async (url) => {
    const { service, token } = withLink();
    const response = await call(service, `GET ${url}`, { token });
    expect(response.statusCode, response.body).toBe(200);
  });

  test('never stands for a filter that a change of many links needs', async () => {
    const { service, token } = await startWithLink();
    const response = await call(service, 'DELETE /api/links?q=&tag=', { token });
    expect(response.statusCode).toBe(400);
    expect((await service.store.findLink('launch'))?.deletedAt).toBeNull();
  });
});

describe('a value written as text', () => {
  test.each([
    [{ maxVisits: '5' }, { maxVisits: 5 }],
    [{ waitTimer: ' 2.5 ' }, { waitTimer: 2.5 }],
    [{ expiresInDays: '1' }, { expiresAt: '2026-11-21T12:00:00.000Z' }],
    [{ forwardQuery: 'true' }, { forwardQuery: true }],
    [{ publicStats: 'False' }, { publicStats: false }],
    [{ tags: 'a, b' }, { tags: ['a', 'b'] }],
    [
      { tags: '', goneUrl: '', domain: '' },
      { tags: [], goneUrl: null, domain: 's.example' },
    ],
    [
      { rules: [{ share: '30', originalUrl: 'https://example.com/b' }] },
      { rules: [{ share: 30 }] },
    ],
  ])('is what it says: %j', async (sent, stored) => {
    const { service, token, edit } = await startWithLink();
    const created = await shorten(service, { ...LINK, ...sent }, { token });
    expect(created.statusCode, created.body).toBe(200);
    expect(created.json().data).toMatchObject(stored);
    const edited = await edit({ title: 'Edited', ...sent });
    expect(edited.json().data).toMatchObject(stored);
  });

  test.each([
    { maxVisits: '' },
    { maxVisits: '0x10' },
    { maxVisits: '1e3' },
    { maxVisits: '1,5' },
    { maxVisits: '2.5' },
    { expiresAt: '' },
    { password: '' },
    { forwardQuery: '1' },
    { forwardQuery: '' },
    { rules: 'a,b' },
    { isActve: 'true' },
  ])('that could mean something else is refused: %j', async (sent) => {
    const { service, token } = await startWithLink();
    const response = await shorten(service, { ...LINK, ...sent }, { token });
    expect(response.statusCode).toBe(400);
    expect(response.json().issues[0].path).toBe(Object.keys(sent)[0]);
  });
});

describe('a time', () => {
  const withLink = sharedWithLink();

  test.each([
    '2027-01-31T12:00:00Z',
    '2027-01-31t12:00:00z',
    '2027-01-31 12:00:00Z',
    '2027-01-31 13:00:00+0100',
    '2027-01-31T13:00:00+01',
    '2027-01-31T06:30:00.000000-05:30',
    '2027-01-31T12:00Z',
    '2027-01-31 12:00 +00:00',
    '2027-01-31T12:00:00-00:00',
  ])('can be written as programs do: %s', async (time) => {
    const { service, token } = withLink();
    const body = {
      ...LINK,
      expiresAt: time,
      startsAt: time.replace('2027', '2026').replace('-01-', '-12-'),
      rules: [{ until: time, originalUrl: 'https://example.com/until' }],
    };
    const record = await makeLink(service, body, { token });
    expect(record).toMatchObject({
      expiresAt: '2027-01-31T12:00:00.000Z',
      startsAt: '2026-12-31T12:00:00.000Z',
      rules: [{ until: '2027-01-31T12:00:00.000Z' }],
    });
    const edited = await call(service, `PATCH /api/links/${record.alias}`, {
      token,
      body: { expiresAt: time },
    });
    expect(edited.json().data.expiresAt).toBe('2027-01-31T12:00:00.000Z');
  });

  test('in a query can have its plus sign as it is, which a query reads as a space', async () => {
    const { service, token } = await startWithLink();
    const read = async (from: string) =>
      (await call(service, `GET /api/stats?unit=hour&from=${from}`, { token })).json().data;
    const start = (await read('2026-11-20T10:00:00Z')).series[0].start;
    for (const from of ['2026-11-20T11:00:00+01:00', '2026-11-20%2011:00:00%2B0100']) {
      expect((await read(from)).series[0].start).toBe(start);
    }
  });
});
