import { describe, expect, test } from 'vitest';
import { call, makeLink, shorten, startService, type TestService } from '../support.ts';
import { importFile } from '../transfer/support.ts';

const HOUR_MS = 3_600_000;

/** A service in which somebody has so many aliases, and the token of somebody else. */
async function start(taken: number) {
  const service = await startService({ env: { UNKNOWN_PER_MINUTE: '100' } });
  const owner = await makeLink(service);
  const links = rows('taken', taken);
  await importFile(service, 'curt', { links }, { token: owner.authToken });
  const { authToken: token } = await makeLink(service);
  return { service, token };
}

function rows(name: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    alias: `${name}-${index}`,
    originalUrl: `https://example.com/${name}/${index}`,
  }));
}

const create = (service: TestService, token: string, customAlias: string) =>
  shorten(service, { originalUrl: 'https://example.com', customAlias }, { token });

describe('whether others have an alias', () => {
  test('is told by dry runs for 100 rows an hour, also if nobody has it', async () => {
    const { service, token } = await start(20);
    const links = [...rows('free', 60), ...rows('taken', 20), ...rows('other', 60)];
    for (const { alias } of links) expect(alias).toBeTruthy();
    const first = await importFile(service, 'curt', { links }, { token, dryRun: true });
    const told = first.results.filter(({ message }) => !message.startsWith('Not checked'));
    expect(told).toHaveLength(100);
    const again = await importFile(service, 'curt', { links }, { token, dryRun: true });
    expect(again.results.every(({ message }) => message.startsWith('Not checked'))).toBe(true);
    expect(again.renamed).toBe(0);
    await service.clock.advance(HOUR_MS);
    const later = await importFile(service, 'curt', { links }, { token, dryRun: true });
    expect(later.renamed).toBe(20);
  });

  test('is told by an import after a dry run of the same file', async () => {
    const { service, token } = await start(20);
    const links = [...rows('taken', 20), ...rows('free', 500)];
    await importFile(service, 'curt', { links }, { token, dryRun: true });
    const report = await importFile(service, 'curt', { links }, { token });
    expect([report.imported, report.renamed, report.failed]).toEqual([500, 20, 0]);
  });

  test('does not count for rows that are imported', async () => {
    const { service, token } = await start(20);
    const links = [...rows('taken', 20), ...rows('free', 1000)];
    const report = await importFile(service, 'curt', { links }, { token });
    expect([report.imported, report.renamed, report.failed]).toEqual([1000, 20, 0]);
    expect((await create(service, token, 'taken-1')).statusCode).toBe(409);
  });

  test('is told by imports for 100 rows an hour; the others can be imported later', async () => {
    const { service, token } = await start(150);
    const links = rows('taken', 150);
    const report = await importFile(service, 'curt', { links }, { token });
    expect([report.renamed, report.failed]).toEqual([100, 50]);
    expect(report.results.at(-1)?.message).toMatch(/^Not checked/);
    await service.clock.advance(HOUR_MS);
    const rest = await importFile(service, 'curt', { links }, { token });
    expect([rest.renamed, rest.duplicates, rest.failed]).toEqual([50, 100, 0]);
  });

  test('counts previous aliases in files, too', async () => {
    const { service, token } = await start(150);
    const links = rows('new', 8).map((row, index) => ({
      ...row,
      previousAliases: Array.from({ length: 18 }, (_, n) => `taken-${index * 18 + n}`),
    }));
    const { results } = await importFile(service, 'curt', { links }, { token });
    const told = results.filter(({ message }) => /previous aliases/.test(message));
    expect(told.length).toBeLessThan(7);
    expect(results.at(-1)?.message).toMatch(/^Not checked/);
  });

  test('is told 100 times by new links, batches and renamed links together, then by none of them', async () => {
    const { service, token } = await start(150);
    const body = rows('taken', 100).map(({ alias: customAlias }) => ({
      originalUrl: 'https://example.com',
      customAlias,
    }));
    const batch = (await call(service, 'POST /api/links/batch', { token, body })).json().data;
    const codes = batch.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(Array(100).fill('alias_taken'));
    const { alias } = await makeLink(service, {}, { token });
    const rename = (customAlias: string) =>
      call(service, `PATCH /api/links/${alias}`, { token, body: { customAlias } });
    for (const response of [
      await create(service, token, 'taken-120'),
      await create(service, token, 'free'),
      await rename('taken-120'),
      await rename('free'),
    ]) {
      expect([response.statusCode, response.json().code]).toEqual([429, 'rate_limited']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(3000);
    }
    const title = { title: 'Still works' };
    expect(
      (await call(service, `PATCH /api/links/${alias}`, { token, body: title })).statusCode,
    ).toBe(200);
    expect((await create(service, token, 'api')).json().code).toBe('alias_taken');
    await service.clock.advance(HOUR_MS);
    expect((await rename('free')).statusCode).toBe(200);
  });

  test('counts for suggestions that are left out', async () => {
    const { service, token } = await start(0);
    const owner = await makeLink(service);
    for (const alias of ['word', 'word-2', 'word-3', 'word-4']) {
      expect((await create(service, owner.authToken, alias)).statusCode).toBe(200);
    }
    for (let time = 0; time < 25; time++) {
      const { suggestions } = (await create(service, token, 'word')).json();
      expect(suggestions[0]).toBe('word-5');
    }
    expect((await create(service, token, 'word')).json().code).toBe('rate_limited');
  });

  test('costs nothing if nobody has it', async () => {
    const { service, token } = await start(1);
    for (let number = 0; number < 120; number++) {
      expect((await create(service, token, `free-${number}`)).statusCode).toBe(200);
    }
    expect((await create(service, token, 'taken-0')).statusCode).toBe(409);
  });
});
