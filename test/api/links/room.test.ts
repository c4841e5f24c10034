import { describe, expect, test } from 'vitest';
import { ADMIN, callAsAdmin, createAccount } from '../admin/as-admin.ts';
import {
  call,
  makeLink,
  sharedService,
  shorten,
  startService,
  type TestService,
} from '../support.ts';
import { sendImport } from '../transfer/support.ts';
import { visit } from '../visits/visiting.ts';

const DAY_MS = 86_400_000;
const UNIT = 4096;

/** A URL of so many characters. */
function longUrl(length: number): string {
  return 'https://example.com/'.padEnd(length, 'x');
}

/** Takes a little more than its text. */
function rule(length: number) {
  return { device: 'phone', originalUrl: longUrl(length) };
}

function importRows(service: TestService, token: string, links: object[], dryRun = false) {
  return sendImport(service, 'curt', { links }, { token, dryRun });
}

describe('the size of a link', () => {
  test('counts against the monthly quota: each started 4 KiB as one', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '10' } });
    const small = await shorten(service, { originalUrl: longUrl(20) });
    expect(small.headers['x-quota-remaining']).toBe('9');
    const { authToken: token } = small.json().data;
    const large = await shorten(service, { originalUrl: longUrl(2 * UNIT - 500) }, { token });
    expect(large.headers['x-quota-remaining']).toBe('7');
    const body = { originalUrl: longUrl(30), rules: [rule(7000), rule(7000)] };
    const larger = await shorten(service, body, { token });
    expect(larger.headers['x-quota-remaining']).toBe('3');
    const rejected = await shorten(service, body, { token });
    expect([rejected.statusCode, rejected.json().code]).toEqual([429, 'quota_exceeded']);
    expect((await shorten(service, { originalUrl: longUrl(20) }, { token })).statusCode).toBe(200);
  });

  test('counts when an edit makes it larger, and is not given back', async () => {
    const service = await startService({ env: { MONTHLY_QUOTA: '4' } });
    const { alias, authToken: token } = await makeLink(service);
    const edit = async (body: object) => {
      const response = await call(service, `PATCH /api/links/${alias}`, { token, body });
      const { quota } = (await call(service, 'GET /api/account', { token })).json().data;
      return [response.statusCode, quota.used];
    };
    expect(await edit({ title: 'Still small' })).toEqual([200, 1]);
    expect(await edit({ rules: [rule(5000)] })).toEqual([200, 2]);
    expect(await edit({ rules: [] })).toEqual([200, 2]);
    expect(await edit({ rules: [rule(5000)] })).toEqual([200, 3]);
    expect(await edit({ rules: [rule(5000), rule(5000)] })).toEqual([200, 4]);
    expect(await edit({ rules: [rule(5000), rule(8000)] })).toEqual([429, 4]);
    expect(await edit({ isActive: false })).toEqual([200, 4]);
    expect(await edit({ rules: [] })).toEqual([200, 4]);
  });

  test('counts against the limit of imports, also in a dry run', async () => {
    const service = await startService({ env: { IMPORT_MAX_LINKS: '5' } });
    const { authToken: token } = await makeLink(service);
    const rows = [1, 2, 3].map((number) => ({
      originalUrl: `${longUrl(30)}${number}`,
      alias: `imported-${number}`,
      goneUrl: longUrl(UNIT + 100),
    }));
    for (const dryRun of [true, false]) {
      const { imported, failed, results } = (await importRows(service, token, rows, dryRun)).json()
        .data;
      expect([imported, failed]).toEqual([2, 1]);
      expect(results[2].message).toContain('4 KiB');
    }
  });
});

describe('all URLs of a link together', () => {
  const shared = sharedService();

  const half = rule(8000);
  const parts = { originalUrl: longUrl(340), rules: [half, half] };

  test.each([
    ['its rules', { rules: [half, half, rule(100)] }],
    ['goneUrl', { goneUrl: longUrl(100) }],
    ['the picture of its card', { card: { imageUrl: longUrl(100) } }],
  ])('have at most 16 KiB, with %s', async (_, more) => {
    const service = shared();
    const { alias, authToken: token } = await makeLink(service, parts);
    const path = `/api/links/${alias}`;
    for (const response of [
      await shorten(service, { ...parts, ...more }, { token }),
      await call(service, `PATCH ${path}`, { token, body: more }),
    ]) {
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
      expect(response.json().message).toContain('16 KiB');
    }
    const row = { ...parts, ...more };
    const { results } = (await importRows(service, token, [row])).json().data;
    expect(results).toMatchObject([{ status: 'failed' }]);
    expect(results[0].message).toContain('16 KiB');
    const record = (await call(service, `GET ${path}`, { token })).json().data;
    expect(record.rules).toHaveLength(2);
  });

  test('do not keep the longest target that one alone can have from being a link', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    const originalUrl = `https://example.com/${'ä'.repeat(2500)}`;
    expect((await shorten(service, { originalUrl }, { token })).statusCode).toBe(200);
  });
});

describe('anonymous accounts', () => {
  const env = { ANONYMOUS_MB_PER_DAY: '1', IMPORT_MAX_LINKS: '100000' };
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, number) => ({
      originalUrl: `https://example.com/${name}/${number}`,
      alias: `${name}-${number}`,
      goneUrl: longUrl(8000),
    }));
  const stored = async ({ data }: TestService) =>
    Buffer.byteLength(JSON.stringify((await data.read()).links));

  test('add at most ANONYMOUS_MB_PER_DAY together on a day, also at once', async () => {
    const service = await startService({ env });
    const tokens = await Promise.all(
      Array.from({ length: 4 }, async () => (await makeLink(service)).authToken as string),
    );
    const reports = await Promise.all(
      tokens.map((token, index) => importRows(service, token, rows(`account${index}`, 60))),
    );
    const imported = reports.map((response) => response.json().data?.imported ?? 0);
    const total = imported.reduce((sum, each) => sum + each, 0);
    // A row takes 8.2 kB.
    expect(total).toBeGreaterThan(110);
    expect(total).toBeLessThan(125);
    expect(await stored(service)).toBeLessThan(1_050_000);

    const [token = ''] = tokens;
    const large = { originalUrl: longUrl(30), rules: [rule(8000)] };
    const { alias } = (await shorten(service, { originalUrl: longUrl(20) }, { token })).json().data;
    for (const rejected of [
      await shorten(service, large),
      await shorten(service, large, { token }),
      await importRows(service, token, rows('more', 1)),
      await call(service, `PATCH /api/links/${alias}`, {
        token,
        body: { rules: large.rules },
      }),
    ]) {
      expect([rejected.statusCode, rejected.json().code]).toEqual([429, 'anonymous_limit']);
      expect(rejected.headers['retry-after']).toBe('43200');
    }
    await service.clock.advance(DAY_MS / 2);
    expect((await shorten(service, large, { token })).statusCode).toBe(200);
  });

  test('get what an edit makes smaller back', async () => {
    const service = await startService({ env });
    const { alias, authToken: token } = await makeLink(service);
    for (let round = 0; round < 80; round++) {
      for (const rules of [[rule(8000), rule(8000)], []]) {
        const body = { rules };
        const response = await call(service, `PATCH /api/links/${alias}`, { token, body });
        expect(response.statusCode).toBe(200);
      }
    }
  });

  test('are no limit for an account that an administrator has created or given a quota', async () => {
    const service = await startService({ env: { ...env, ...ADMIN.env } });
    const { authToken: token, alias } = await makeLink(service);
    await importRows(service, token, rows('anonymous', 150));
    const { token: created } = await createAccount(service);
    expect((await importRows(service, created, rows('created', 60))).json().data.imported).toBe(60);
    const more = () => importRows(service, token as string, rows('quota', 60));
    expect((await more()).statusCode).toBe(429);
    const id = (await service.store.findLink(alias))?.accountId;
    await callAsAdmin(service, `PATCH /api/admin/accounts/${id}`, { monthlyQuota: 1000 });
    expect((await more()).json().data.imported).toBe(60);
  });
});

describe('a server whose memory is full', () => {
  test('adds no links, and does everything else', async () => {
    let isFull = false;
    const memory = {
      get isFull() {
        return isFull;
      },
      hasRoomFor: () => true,
    };
    const service = await startService({ memory });
    if (!service.store.growsInMemory) return;
    const { alias, authToken: token } = await makeLink(service, { customAlias: 'here' });
    isFull = true;
    const path = `/api/links/${alias}`;
    const link = { originalUrl: 'https://example.com' };
    const edit = (body: object) => call(service, `PATCH ${path}`, { token, body });
    for (const rejected of [
      await shorten(service, link),
      await shorten(service, link, { token }),
      await importRows(service, token as string, [link]),
      await edit({ title: 'A title' }),
      await edit({ customAlias: 'longer-alias' }),
    ]) {
      expect([rejected.statusCode, rejected.json().code]).toEqual([503, 'store_full']);
      expect(rejected.headers['retry-after']).toBe('60');
    }
    const batch = await call(service, 'POST /api/links/batch', { token, body: [link] });
    expect(batch.json().data).toMatchObject([{ status: 503, code: 'store_full' }]);

    expect((await visit(service, '/here')).statusCode).toBe(302);
    expect((await call(service, `GET ${path}`, { token })).statusCode).toBe(200);
    expect((await edit({ isActive: false })).statusCode).toBe(200);
    expect((await call(service, `DELETE ${path}`, { token })).statusCode).toBe(200);
    const restore = await call(service, `POST ${path}/restore`, { token });
    expect(restore.statusCode).toBe(200);
    expect((await call(service, `DELETE ${path}?purge=true`, { token })).statusCode).toBe(200);
    isFull = false;
    expect((await shorten(service, link, { token })).statusCode).toBe(200);
  });

  test('reads no file for which it has no memory', async () => {
    const asked: number[] = [];
    const hasRoomFor = (bytes: number) => asked.push(bytes) < 3;
    const service = await startService({ memory: { isFull: false, hasRoomFor } });
    if (!service.store.growsInMemory) return;
    const { authToken: token } = await makeLink(service);
    const row = { originalUrl: longUrl(2000) };
    const one = await importRows(service, token as string, [row]);
    expect(one.json().data.imported).toBe(1);
    expect(asked[0]).toBeGreaterThan(4 * 2000);
    asked.push(0, 0);
    const other = await importRows(service, token as string, [row]);
    expect([other.statusCode, other.json().code]).toEqual([503, 'store_full']);
  });
});
