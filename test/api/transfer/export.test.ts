import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportedLinkSchema } from '../../../shared/links/transfer.ts';
import { ADMINISTRATOR, newLink } from '../../store/contract.ts';
import { call, makeLink, startService, type TestService } from '../support.ts';
import { exportFile, importFile, newAccount, sendExport, startWithAccount } from './support.ts';

const link = {
  alias: 'launch',
  customAlias: 'launch',
  originalUrl: 'https://example.com/?q=1',
  title: 'Launch',
  description: 'Two\r\nlines',
  tags: ['sale', 'a,b|c\\d'],
  expiresAt: '2027-01-01T00:00:00.000Z',
  maxVisits: 100,
  hits: 7,
  waitTimer: 5,
  customGtmId: 'GTM-ABC1234',
  forwardQuery: true,
  isActive: false,
  created: '2024-05-01T08:00:00.123Z',
  modified: '2024-06-01T08:00:00.000Z',
};
const generated = { ...link, alias: 'abcdefg', customAlias: '', description: null, tags: [] };

/** What an import keeps. */
const kept = (file: string) =>
  JSON.parse(file).links.map(({ id: _id, ...rest }: { id: string }) => rest);

describe('the exported JSON', () => {
  test("has every field, and only the account's own links that are not deleted", async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'other' });
    const token = await newAccount(service);
    await importFile(service, 'curt', [link], { token });
    const file = JSON.parse(await exportFile(service, { format: 'json' }, token));
    expect(file).toMatchObject({ curt: 'links', version: 1, exported: '2026-11-20T12:00:00.000Z' });
    expect(file.links).toHaveLength(2);
    expect(exportedLinkSchema.parse(file.links[1])).toMatchObject({
      ...link,
      shortUrl: 'https://s.example/launch',
      hasPassword: false,
      previousAliases: [],
    });
  });

  test('has only the links that match, never deleted ones', async () => {
    const service = await startService();
    const token = await newAccount(service);
    for (const [alias, tag] of [
      ['one', 'sale'],
      ['two', 'sale'],
      ['three', 'other'],
    ] as const) {
      await makeLink(service, { customAlias: alias, tags: [tag] }, { token });
    }
    await call(service, 'DELETE /api/links/two', { token });
    const aliasesIn = async (query: string) => {
      const response = await call(service, `GET /api/links/export?${query}`, { token });
      expect(response.statusCode).toBe(200);
      return JSON.parse(response.body).links.map((each: { alias: string }) => each.alias);
    };
    expect(await aliasesIn('tag=SALE')).toEqual(['one']);
    expect(await aliasesIn('q=thr&status=active')).toEqual(['three']);
    expect(await aliasesIn('tag=sale&status=deleted')).toEqual([]);
    const table = await call(service, 'GET /api/links/export?format=csv&tag=other', { token });
    expect(table.body.trim().split('\r\n')).toHaveLength(2);
    const unknown = await call(service, 'GET /api/links/export?domain=go.example', { token });
    expect([unknown.statusCode, unknown.json().code]).toEqual([400, 'invalid_domain']);
  });

  test('has what a newer version has stored, also after edits, if secrets are wanted', async () => {
    const service = await startService();
    const { store } = service;
    const token = await newAccount(service);
    const { links } = JSON.parse(await exportFile(service, { format: 'json' }, token));
    const { accountId = '' } = (await store.findLink(links[0].alias)) ?? {};
    const newerFields = { nickname: 'ours', watch: { on: [1] } };
    await store.addLink(newLink('newer', { link: { accountId, newerFields } }));
    const edit = { token, body: { title: 'edited' } };
    expect((await call(service, 'PATCH /api/links/newer', edit)).statusCode).toBe(200);
    const bulk = { token, body: { aliases: ['newer'], addTags: ['all'] } };
    expect((await call(service, 'PATCH /api/links', bulk)).statusCode).toBe(200);
    const exported = async (secrets: string) => {
      const file = await exportFile(service, { format: 'json', secrets }, token);
      return JSON.parse(file).links.find(({ alias }: { alias: string }) => alias === 'newer');
    };
    const fields = { title: 'edited', tags: ['all'] };
    expect(await exported('true')).toMatchObject({ ...fields, newerFields });
    // Nobody knows here whether it is secret.
    const without = await exported('false');
    expect(without).toMatchObject(fields);
    expect(without).not.toHaveProperty('newerFields');
  });

  test('is imported with what this version knows of what another one did not', async () => {
    const { service, token } = await startWithAccount();
    const newerFields = { title: 'known', constructor: 'unknown' };
    const rows = [
      { originalUrl: 'https://example.com/1', alias: 'one', newerFields },
      { originalUrl: 'https://example.com/2', alias: 'two', newerFields: { title: 'known' } },
      { originalUrl: 'https://example.com/3', alias: 'three', newerFields: { title: 5 } },
    ];
    const { results } = await importFile(service, 'curt', rows, { token });
    expect(results).toMatchObject([
      { status: 'imported', message: expect.stringMatching(/only a newer version of Curt knows/) },
      { status: 'imported', message: '' },
      { status: 'failed' },
    ]);
    const one = await service.store.findLink('one');
    expect(one).toMatchObject({ title: 'known', newerFields: null });
  });

  test('is a download with a file name', async () => {
    const { service, token } = await startWithAccount();
    const { headers } = await sendExport(service, {}, token);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-disposition']).toBe(
      'attachment; filename="curt-links-2026-11-20.json"',
    );
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe.each(['json', 'csv'] as const)('an exported %s file', (format) => {
  const type = format === 'json' ? 'application/json' : 'text/csv';

  test('makes the same links on another server', async () => {
    const { service, token } = await startWithAccount();
    await importFile(service, 'curt', [link, generated], { token });
    const file = await exportFile(service, { format }, token);

    const other = await startService();
    const otherToken = await newAccount(other);
    const report = await importFile(other, 'curt', file, { token: otherToken, type });
    expect(report).toMatchObject({ rows: 3, failed: 0, renamed: 0 });
    const own = kept(await exportFile(other, {}, otherToken));
    for (const expected of kept(await exportFile(service, {}, token))) {
      expect(own).toContainEqual(expected);
    }
  });

  test('keeps texts that spreadsheets would run as formulas', async () => {
    const { service, token } = await startWithAccount();
    const titles = ['=1+1', '+1', '-1', '@a', "'=1", "'", '"', '=HYPERLINK("x","y")', 'a,b;c'];
    titles.push('x;=2+2;y', ';"=1', ";'=1", ';;-1', 'a;"b"');
    const links = titles.map((title, index) => ({ ...link, alias: `f${index}`, title }));
    await importFile(service, 'curt', links, { token });
    const file = await exportFile(service, { format }, token);
    if (format === 'csv') expect(file).not.toMatch(/(^|[,;"])[=+\-@]/m);

    const other = await startService();
    const otherToken = await newAccount(other);
    await importFile(other, 'curt', file, { token: otherToken, type });
    for (const [index, title] of titles.entries()) {
      expect(await other.store.findLink(`f${index}`)).toMatchObject({ title });
    }
  });

  test('keeps any texts', async () => {
    const service = await startService();
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .map((value) => value.replace(/\p{Cc}/gu, '\n').toWellFormed());
    const texts = fc.sample(fc.tuple(text, text, text), { numRuns: 60, seed: 7 });
    const links = texts.map(([title, description, tag], index) => ({
      ...link,
      alias: `t${index}`,
      title: title.replaceAll('\n', ' '),
      description: description || null,
      tags: tag.replaceAll('\n', ' ').trim() === '' ? [] : [tag.replaceAll('\n', ' ')],
    }));
    const token = await newAccount(service);
    expect(await importFile(service, 'curt', links, { token })).toMatchObject({ failed: 0 });
    const file = await exportFile(service, { format }, token);

    const other = await startService();
    const otherToken = await newAccount(other);
    await importFile(other, 'curt', file, { token: otherToken, type });
    for (const index of links.keys()) {
      const { title, description, tags } = (await service.store.findLink(`t${index}`)) ?? {};
      expect(await other.store.findLink(`t${index}`)).toMatchObject({ title, description, tags });
    }
  });

  test('has password hashes only with secrets=true; without, the link is imported switched off', async () => {
    const { service, token } = await startWithAccount();
    await makeLink(service, { customAlias: 'locked', password: 'secret' }, { token });
    const { passwordHash } = (await service.store.findLink('locked')) ?? {};

    const plain = await exportFile(service, { format }, token);
    expect(plain).not.toContain('argon2');
    const other = await startService();
    const otherToken = await newAccount(other);
    const report = await importFile(other, 'curt', plain, { token: otherToken, type });
    const row = report.results.find(({ alias }) => alias === 'locked');
    expect(row?.message).toMatch(/password/);
    expect(await other.store.findLink('locked')).toMatchObject({
      passwordHash: null,
      isActive: false,
    });

    const full = await exportFile(service, { format, secrets: 'true' }, token);
    const third = await startService();
    const thirdToken = await newAccount(third);
    await importFile(third, 'curt', full, { token: thirdToken, type });
    expect(await third.store.findLink('locked')).toMatchObject({ passwordHash, isActive: true });
  });

  test('of an account without links is complete', async () => {
    const { service, token } = await startWithAccount();
    const { store } = service;
    const listLinks = store.listLinks.bind(store);
    store.listLinks = async (query) => listLinks({ ...query, matches: () => false });
    const file = await exportFile(service, { format }, token);
    expect(await importFile(service, 'curt', file, { token, type })).toMatchObject({ rows: 0 });
  });
});

test('the exported table begins with a byte order mark and a header', async () => {
  const service = await startService();
  const file = await exportFile(service, { format: 'csv' }, await newAccount(service));
  expect(file).toMatch(/^\ufeff"id","alias","shortUrl","originalUrl",[^\r\n]*\r\n/);
});

describe('an export that fails', () => {
  const rows = Array.from({ length: 500 }, (_, index) => ({ ...link, alias: `l${index}` }));

  test('at the beginning has a response of its own', async () => {
    const { service, token } = await startWithAccount();
    service.store.listLinks = () => Promise.reject(new Error('the disk is gone'));
    const response = await sendExport(service, {}, token);
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ success: false, code: 'internal' });
    expect(response.headers['content-disposition']).toBeUndefined();
  });

  const isGone = () => Promise.reject(new Error('the disk is gone'));
  const revokeAll = async ({ store }: TestService) => {
    const { accountId = '' } = (await store.findLink('l0')) ?? {};
    for (const { id } of await store.listTokens(accountId)) {
      await store.revokeToken({ id, accountId, by: ADMINISTRATOR, evenIfLast: true });
    }
  };

  test.each([
    ['an error of the store', 'json', isGone],
    ['an error of the store', 'csv', isGone],
    ['the revocation of its token', 'json', revokeAll],
    ['the revocation of its token', 'csv', revokeAll],
  ])('%s in the middle of a %s file closes the connection', async (_, format, happens) => {
    const { service, token } = await startWithAccount();
    await importFile(service, 'curt', rows, { token });
    const { store, app } = service;
    const listLinks = store.listLinks.bind(store);
    let pages = 0;
    store.listLinks = async (query) => {
      if (++pages === 2) await happens(service);
      return listLinks(query);
    };
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const call = request({
      port,
      host: '127.0.0.1',
      path: `/api/links/export?format=${format}`,
      headers: { authorization: `Bearer ${token}` },
    });
    call.end();
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    const [error] = await once(response, 'error');
    expect(error.code).toBe('ECONNRESET');
    expect(response.complete).toBe(false);
  });
});

describe('a table for another service', () => {
  async function startWithLinks() {
    const service = await startService();
    const { newAuthToken: token = '' } = await makeLink(service, { customAlias: undefined });
    await call(service, 'DELETE /api/links?all=true', { token });
    const links = [
      {
        alias: 'open',
        originalUrl: 'https://a.example/?q="x",y',
        label: '=SUM(1)',
        tags: ['a', 'b|c, d'],
        hits: 7,
        previousAliases: ['old'],
      },
      { alias: 'long', originalUrl: `https://b.example/${'x'.repeat(1000)}`, title: 'Long' },
      { alias: 'off', originalUrl: 'https://c.example/', isActive: false },
      { alias: 'later', originalUrl: 'https://c.example/', startsAt: '2100-01-01T00:00:00Z' },
      { alias: 'ends', originalUrl: 'https://c.example/', expiresAt: '2100-01-01T00:00:00Z' },
      { alias: 'few', originalUrl: 'https://c.example/', maxVisits: 5 },
    ];
    expect(await importFile(service, 'curt', links, { token })).toMatchObject({ imported: 6 });
    const body = { originalUrl: 'https://c.example/', customAlias: 'locked', password: 'hunter2' };
    await call(service, 'POST /api/shorten', { token, body });
    return { service, token };
  }

  test("Shlink's importer takes its columns, without what it would open", async () => {
    const { service, token } = await startWithLinks();
    const text = await exportFile(service, { format: 'shlink' }, token);
    const data: Record<string, string>[] = parse(text, { columns: true });
    const open = {
      'Long URL': 'https://a.example/?q="x",y',
      Domain: '',
      Title: '=SUM(1)',
      Tags: 'a|b/c/ d',
    };
    expect(
      data.toSorted(
        (one, other) => one['Short code']?.localeCompare(other['Short code'] ?? '') ?? 0,
      ),
    ).toEqual([
      {
        'Long URL': expect.stringContaining('xxx'),
        'Short code': 'long',
        Domain: '',
        Title: 'Long',
        Tags: '',
      },
      { ...open, 'Short code': 'old' },
      { ...open, 'Short code': 'open' },
    ]);
  });

  test("YOURLS' plugin takes its lines, none longer than it reads", async () => {
    const { service, token } = await startWithLinks();
    const response = await sendExport(service, { format: 'yourls' }, token);
    expect(response.headers['content-disposition']).toMatch(/-yourls\.csv"$/);
    expect(response.body).toBe(
      [
        '"source","target","hits"',
        '"open","https://a.example/?q=""x"",y","7"',
        '"old","https://a.example/?q=""x"",y","0"',
        '',
      ].join('\r\n'),
    );
  });
});
