import { describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../../server/store/store.ts';
import { type ImportReport, importResponseSchema } from '../../../shared/links/transfer.ts';
import { ownLinkOf } from '../../store/contract.ts';
import { call, makeLink, START, sharedService, startService } from '../support.ts';
import {
  exportFile,
  fixture,
  importFile,
  newAccount,
  sendImport,
  startWithAccount,
  statuses,
} from './support.ts';

const link = (alias: string, more: object = {}) => ({
  alias,
  originalUrl: `https://example.com/${alias}`,
  created: '2024-01-01T00:00:00Z',
  ...more,
});

describe('an imported link', () => {
  test('keeps alias, target, dates, title, tags, expiry and click total', async () => {
    const { service, token } = await startWithAccount();
    const file = await fixture('shlink/short-urls.json');
    const report = await importFile(service, 'shlink', file, { token });
    expect(report).toMatchObject({ rows: 3, imported: 2, renamed: 1, duplicates: 0, failed: 0 });
    expect(await service.store.findLink('SUMMER-24')).toMatchObject({
      alias: 'summer-24',
      aliasIsCustom: true,
      originalUrl: 'https://hotel.example/summer?year=2024',
      created: Date.UTC(2024, 4, 1, 8),
      editedAt: null,
      expiresAt: Date.UTC(2024, 8, 30, 23, 59, 59),
      hits: 280,
      maxVisits: 5000,
    });
    expect(await service.store.findLink('12c18')).toMatchObject({
      label: 'Games store',
      tags: ['games', 'tech'],
      hits: 900,
    });
  });

  test('works at once, and an expired one is gone', async () => {
    const { service, token } = await startWithAccount();
    await importFile(service, 'kutt', await fixture('kutt/links.json'), { token });
    const visit = (alias: string) => service.app.inject({ url: `/${alias}` });
    expect((await visit('spring-menu')).headers.location).toBe(
      'https://restaurant.example/menu?season=spring',
    );
    expect((await visit('xK3p9Q')).statusCode).toBe(410);
    expect((await visit('minutes')).statusCode).toBe(410);
  });

  test('is not newer than now', async () => {
    const { service, token } = await startWithAccount();
    await importFile(service, 'curt', [link('future', { created: '2031-01-01T00:00:00Z' })], {
      token,
    });
    expect(await service.store.findLink('future')).toMatchObject({ created: START });
  });
});

test('a link that is imported with an expiry before its start can be edited', async () => {
  const { service, token } = await startWithAccount();
  const times = { startsAt: '2030-02-01T00:00:00Z', expiresAt: '2030-01-01T00:00:00Z' };
  await importFile(service, 'curt', [link('never', times)], { token });
  const edit = (body: object) => call(service, 'PATCH /api/links/never', { token, body });
  expect((await edit({ title: 'Never' })).statusCode).toBe(200);
  expect((await edit({ startsAt: times.startsAt })).json().issues).toMatchObject([
    { path: 'startsAt' },
  ]);
});

describe('the alias of an imported link', () => {
  test('is generated if it is taken, reserved or invalid, and the report says so', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const token = await newAccount(service);
    const rows = ['Taken', 'api', 'not valid', 'x'.repeat(65), 'free', ''].map((alias) =>
      link(alias, { originalUrl: 'https://example.com/page' }),
    );
    const report = await importFile(service, 'curt', rows, { token });
    expect(statuses(report)).toEqual([...Array(4).fill('renamed'), 'imported', 'imported']);
    const generated = /^[2-9a-hjkmnp-z]{7}$/;
    for (const index of [0, 1, 2, 3, 5]) {
      const { alias } = report.results[index] ?? {};
      expect(alias).toMatch(generated);
      expect(await service.store.findLink(alias ?? '')).toMatchObject({ aliasIsCustom: false });
    }
    expect(report.results.map(({ message }) => message)).toEqual([
      'The alias "Taken" is already taken.',
      'The alias "api" is reserved for the server.',
      'The alias has characters or a length that Curt does not allow.',
      'The alias has characters or a length that Curt does not allow.',
      '',
      '',
    ]);
  });

  test('goes to the older of two links in one file, whatever their order and case', async () => {
    const { service, token } = await startWithAccount();
    const younger = link('Same', { originalUrl: 'https://example.com/younger' });
    const older = link('same', { created: '2020-01-01T00:00:00Z' });
    const report = await importFile(service, 'curt', [younger, older], { token });
    expect(report.results).toMatchObject([
      { row: 1, status: 'renamed', message: 'Row 2 has the alias "Same", too.' },
      { row: 2, status: 'imported', alias: 'same', message: '' },
    ]);
  });
});

describe('two rows whose aliases differ by case only', () => {
  test('are one link if they have the same target', async () => {
    const { service, token } = await startWithAccount();
    const originalUrl = 'https://example.com/sale';
    const rows = [
      link('sale', { created: '2020-01-01T00:00:00Z', tags: ['a'], originalUrl }),
      link('SALE', { created: '2021-01-01T00:00:00Z', tags: ['b'], originalUrl }),
    ];
    const report = await importFile(service, 'curt', rows, { token });
    expect(report.results).toMatchObject([
      { status: 'imported', alias: 'sale' },
      { status: 'duplicate', message: 'The same link is in row 1, which gets its tags.' },
    ]);
    expect(await service.store.findLink('sale')).toMatchObject({ tags: ['a', 'b'] });
  });
});

describe('earlier aliases', () => {
  const renamed = link('new', { previousAliases: ['first', 'second', 'taken', 'not valid'] });

  test('still lead to the link, in their order, if they are available', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const token = await newAccount(service);
    const modified = '2024-02-01T00:00:00.000Z';
    const rows = [{ ...renamed, modified }, link('second', { created: '2025-01-01T00:00:00Z' })];
    const report = await importFile(service, 'curt', rows, { token });
    expect(report.results).toMatchObject([
      { status: 'imported', alias: 'new', message: '2 previous aliases are not available.' },
      { status: 'renamed', message: 'Row 1 has the alias "second", too.' },
    ]);
    expect(await service.store.findLink('first')).toMatchObject({
      alias: 'new',
      previousAliases: ['first', 'second'],
      editedAt: Date.parse(modified),
    });
    const again = await importFile(service, 'curt', rows, { token });
    expect(again.duplicates).toBe(2);
  });

  test('are at most 20, the first ones', async () => {
    const { service, token } = await startWithAccount();
    const previousAliases = Array.from({ length: 22 }, (_, index) => `p${index + 1}`);
    const rows = [link('new', { previousAliases: ['not valid', ...previousAliases] })];
    const { results } = await importFile(service, 'curt', rows, { token });
    expect(results[0]?.message).toBe(
      'Only the first 20 previous aliases are kept. 1 previous aliases are not available.',
    );
    const found = await service.store.findLink('p19');
    expect(found?.previousAliases).toEqual(previousAliases.slice(0, 19));
  });
});

describe('a link that the account has purged', () => {
  test('is imported again with its alias', async () => {
    const { service, token } = await startWithAccount();
    await importFile(service, 'curt', [link('mine')], { token });
    const { id = '', accountId = '' } = (await service.store.findLink('mine')) ?? {};
    await service.store.purgeLink(ownLinkOf({ id, accountId }));
    const dry = await importFile(service, 'curt', [link('mine')], { token, dryRun: true });
    const report = await importFile(service, 'curt', [link('mine')], { token });
    expect(dry.results).toEqual(report.results);
    expect(report.results).toMatchObject([{ status: 'imported', alias: 'mine' }]);
    const other = await importFile(
      service,
      'curt',
      [link('mine', { created: '2025-01-01T00:00:00Z' })],
      {
        token: await newAccount(service),
      },
    );
    expect(statuses(other)).toEqual(['renamed']);
  });
});

describe('a link with rules by country', () => {
  test.each([
    ['says that they never hold', {}, /^Its rules with a country never hold, .*COUNTRY_HEADER\.$/],
    ['says nothing where the server knows it', { COUNTRY_HEADER: 'cf-ipcountry' }, /^$/],
  ])('%s', async (_title, env, message) => {
    const { service, token } = await startWithAccount({ env });
    const rules = [{ country: 'CH', originalUrl: 'https://example.com/ch' }];
    const rows = [link('swiss', { rules }), link('plain')];
    for (const dryRun of [true, false]) {
      const { results } = await importFile(service, 'curt', rows, { token, dryRun });
      expect(results).toMatchObject([
        { status: 'imported', message: expect.stringMatching(message) },
        { status: 'imported', message: '' },
      ]);
    }
  });
});

test('a Tag Manager container is left out where they are off', async () => {
  const { service, token } = await startWithAccount({ env: { CUSTOM_GTM: 'off' } });
  const rows = [link('tagged', { customGtmId: 'GTM-ABC123' }), link('plain')];
  for (const dryRun of [true, false]) {
    const { results } = await importFile(service, 'curt', rows, { token, dryRun });
    expect(results).toMatchObject([
      { status: 'imported', message: expect.stringMatching(/^Its Tag Manager container is left/) },
      { status: 'imported', message: '' },
    ]);
  }
  expect(await service.store.findLink('tagged')).toMatchObject({ customGtmId: null });
});

describe('a repeated import', () => {
  const shared = sharedService();

  test.each([
    ['kutt', 'kutt/links.json', 'application/json'],
    ['shlink', 'shlink/short-urls.json', 'application/json'],
    ['shlink', 'shlink/web-client.csv', 'text/csv'],
    ['dub', 'dub/links.json', 'application/json'],
    ['yourls', 'yourls/stats.json', 'application/json'],
    ['yourls', 'yourls/yourls_url.csv', 'text/csv; charset=utf-8'],
    ['bitly', 'bitly/bitlinks.json', 'application/json'],
    ['bitly', 'bitly/links.csv', 'text/csv'],
  ])('from %s (%s) adds nothing', async (from, path, type) => {
    const service = shared();
    const token = await newAccount(service);
    const file = await fixture(path);
    const first = await importFile(service, from, file, { token, type });
    expect(first.imported + first.renamed).toBe(first.rows);
    const before = await exportFile(service, {}, token);
    // Without the service's name it finds out the same.
    const second = await importFile(service, undefined, file, { token, type });
    expect(second).toMatchObject({ imported: 0, renamed: 0, duplicates: first.rows, failed: 0 });
    expect(await exportFile(service, {}, token)).toBe(before);
  });

  test('adds nothing for rows whose alias was replaced, nor for the same row twice', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const token = await newAccount(service);
    const rows = [link('taken'), link('taken'), link('')];
    const report = await importFile(service, 'curt', rows, { token });
    expect(statuses(report)).toEqual(['renamed', 'duplicate', 'imported']);
    expect(report.results[1]?.message).toBe('The same link is in row 1.');
    const again = await importFile(service, 'curt', rows, { token });
    expect(again.duplicates).toBe(3);
  });

  test('adds nothing for links that the account has made itself', async () => {
    const { service, token } = await startWithAccount();
    await makeLink(service, { customAlias: 'mine', title: 'Mine' }, { token });
    const file = await exportFile(service, {}, token);
    const report = await importFile(service, 'curt', file, { token });
    expect(report).toMatchObject({ rows: 2, duplicates: 2 });
  });

  test('adds nothing for links that the account has deleted, until they are purged', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const token = await newAccount(service);
    const rows = [link('taken'), link('own')];
    const first = await importFile(service, 'curt', rows, { token });
    for (const { alias } of first.results) {
      const { statusCode } = await call(service, `DELETE /api/links/${alias}`, { token });
      expect(statusCode).toBe(200);
    }
    const second = await importFile(service, 'curt', rows, { token });
    expect(second.results).toMatchObject([
      { status: 'duplicate', message: expect.stringContaining('Restore it') },
      { status: 'duplicate', alias: 'own', message: expect.stringContaining('Restore it') },
    ]);
  });
});

test('of a link that is in a file several times, all tags are kept', async () => {
  const { service, token } = await startWithAccount();
  const tagged = (...tags: string[]) => link('page', { tags });
  const full = Array.from({ length: 9 }, (_, index) => `t${index}`);
  const rows = [tagged('news'), tagged('News', 'work'), tagged('work'), tagged(...full)];
  const report = await importFile(service, 'curt', rows, { token });
  expect(report.results.map(({ status, message }) => `${status} ${message}`)).toEqual([
    'imported ',
    'duplicate The same link is in row 1, which gets its tags.',
    'duplicate The same link is in row 1.',
    'duplicate The same link is in row 1, which gets its tags. There was no room for t8.',
  ]);
  const { tags } = (await service.store.findLink('page')) ?? {};
  expect(tags).toEqual(['news', 'work', ...full.slice(0, 8)]);
});

describe('bad rows', () => {
  test('are reported by number and skipped', async () => {
    const { service, token } = await startWithAccount();
    const table = [
      'alias;originalUrl;expiresAt;hits',
      'good;https://example.com/;;7',
      'loop;https://s.example/good;;',
      'script;javascript:alert(1);;',
      'never;https://example.com/;2999-01-01;',
      'short;https://example.com/;;;;more',
      'hits;https://example.com/;;-1',
      'late;https://example.com/;9999-12-31T23:59:59-14:00;',
    ].join('\r\n');
    const report = await importFile(service, 'csv', table, { token, type: 'text/csv' });
    expect(report).toMatchObject({ rows: 7, imported: 2, failed: 5 });
    expect(report.results.map(({ row, message }) => `${row} ${message}`)).toEqual([
      '2 ',
      expect.stringMatching(/^3 originalUrl: .*loop/),
      expect.stringMatching(/^4 originalUrl: .*javascript/),
      expect.stringMatching(/^5 expiresAt: .*100 years/),
      '6 The row has 6 cells, but the header has 4.',
      expect.stringMatching(/^7 .*hits/),
      expect.stringMatching(/^8 expiresAt: .*9999/),
    ]);
    expect(await service.store.findLink('loop')).toBeUndefined();
  });
});

describe('a dry run', () => {
  test('reports what the import then does, and changes nothing', async () => {
    const service = await startService();
    await makeLink(service, { customAlias: 'taken' });
    const token = await newAccount(service);
    await makeLink(
      service,
      { customAlias: 'mine', originalUrl: 'https://example.com/mine' },
      { token },
    );
    const rows = [
      ...['taken', 'new', 'mine', 'api', ''].map((alias) => link(alias)),
      link('new'),
      link('NEW', { originalUrl: 'https://example.com/other' }),
      { alias: 'bad' },
    ];
    const before = await exportFile(service, {}, token);
    const dry = await importFile(service, 'curt', rows, { token, dryRun: true });
    expect(await exportFile(service, {}, token)).toBe(before);
    expect(await service.store.findLink('new')).toBeUndefined();

    const real = await importFile(service, 'curt', rows, { token });
    // Only the import knows generated aliases.
    const expected = real.results.map((result, index) =>
      result.status === 'renamed' || rows[index]?.alias === ''
        ? { ...result, alias: null, shortUrl: null }
        : result,
    );
    expect(dry).toEqual({ ...real, dryRun: true, importId: null, results: expected });
    expect(statuses(real)).toEqual([
      ...['renamed', 'imported', 'duplicate', 'renamed', 'imported'],
      ...['duplicate', 'renamed', 'failed'],
    ]);
  });
});

describe('while the server cannot save', () => {
  async function importWithFailureAfter(saved: number) {
    const { service, token } = await startWithAccount();
    const addLink = service.store.addLink.bind(service.store);
    let calls = 0;
    service.store.addLink = async (newLink) => {
      if (++calls > saved) throw new StoreUnavailableError('the disk is full');
      return addLink(newLink);
    };
    const rows = Array.from({ length: 200 }, (_, index) => link(`l${index}`));
    const response = await sendImport(service, 'curt', rows, { token });
    service.store.addLink = addLink;
    return { service, token, rows, response };
  }

  test('the report says which links were imported, and the file can be imported again', async () => {
    const { service, token, rows, response } = await importWithFailureAfter(70);
    expect(response.statusCode).toBe(200);
    const report: ImportReport = response.json().data;
    expect(report).toMatchObject({ rows: 200, imported: 70, failed: 130 });
    for (const { row, status, message } of report.results) {
      const isSaved = (await service.store.findLink(`l${row - 1}`)) !== undefined;
      expect(status).toBe(isSaved ? 'imported' : 'failed');
      if (!isSaved) expect(message).toMatch(/could not save/);
    }
    const again = await importFile(service, 'curt', rows, { token });
    expect(again).toMatchObject({ imported: 130, duplicates: 70 });
  });

  test('the report says which links were changed', async () => {
    const { service, token } = await startWithAccount();
    const rows = ['one', 'two', 'three'].map((alias) => link(alias));
    await importFile(service, 'curt', rows, { token });
    const editLink = service.store.editLink.bind(service.store);
    let calls = 0;
    service.store.editLink = async (edit) => {
      if (++calls > 1) throw new StoreUnavailableError('the disk is full');
      return editLink(edit);
    };
    const titled = rows.map((row) => ({ ...row, title: 'Titled' }));
    const query = { update: 'true' };
    const report = await importFile(service, 'curt', titled, { token, query });
    expect(report).toMatchObject({ updated: 1, failed: 2 });
    // Rows are saved together, so any of them can be the first.
    for (const { source, status } of report.results) {
      const title = status === 'updated' ? 'Titled' : '';
      expect(await service.store.findLink(source.alias ?? '')).toMatchObject({ title });
    }
  });

  test('an import that saves nothing answers 503', async () => {
    const { response } = await importWithFailureAfter(0);
    expect([response.statusCode, response.json().code]).toEqual([503, 'store_unavailable']);
  });
});

describe('limits', () => {
  test('an account can import IMPORT_MAX_LINKS links in total, and the rest is reported', async () => {
    const { service, token } = await startWithAccount({ env: { IMPORT_MAX_LINKS: '3' } });
    await importFile(service, 'curt', [link('first')], { token });
    const rows = ['first', 'd', 'c', 'b', 'a'].map((alias, index) =>
      link(alias, index === 0 ? {} : { created: `202${9 - index}-01-01T00:00:00Z` }),
    );
    const report = await importFile(service, 'curt', rows, { token });
    // The oldest links come first.
    expect(statuses(report)).toEqual(['duplicate', 'failed', 'failed', 'imported', 'imported']);
    expect(report.results[1]?.message).toBe(
      'With this link, the account would have imported more than 3 links and previous aliases, the most that it can import.',
    );
    expect(await service.store.findLink('d')).toBeUndefined();
  });

  test('previous aliases count, too, and a dry run says so', async () => {
    const { service, token } = await startWithAccount({ env: { IMPORT_MAX_LINKS: '5' } });
    const rows = ['a', 'b', 'c'].map((alias, index) =>
      link(alias, {
        created: `202${index}-01-01T00:00:00Z`,
        previousAliases: [`${alias}-1`, `${alias}-2`],
      }),
    );
    const dry = await importFile(service, 'curt', rows, { token, dryRun: true });
    const report = await importFile(service, 'curt', rows, { token });
    expect(dry.results).toEqual(report.results);
    expect(statuses(report)).toEqual(['imported', 'failed', 'failed']);
    expect(await service.store.findLink('b-1')).toBeUndefined();
  });

  test('one import of an account runs at a time', async () => {
    const { service, token } = await startWithAccount();
    const rows = Array.from({ length: 200 }, (_, index) => link(`l${index}`));
    const responses = await Promise.all(
      [1, 2].map(() => sendImport(service, 'curt', rows, { token })),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 503]);
    const refused = responses.find(({ statusCode }) => statusCode === 503);
    expect(refused?.json()).toMatchObject({ code: 'busy' });
    expect(refused?.headers['retry-after']).toBeDefined();
  });

  test('an import of 10,000 links answers with a result for each', async () => {
    const { service, token } = await startWithAccount();
    const rows = Array.from({ length: 10_000 }, (_, index) => link(`l${index}`));
    const response = await sendImport(service, 'curt', rows, { token });
    expect(importResponseSchema.parse(response.json()).data).toMatchObject({
      rows: 10_000,
      imported: 10_000,
      failed: 0,
    });
    expect(response.body.length).toBeLessThan(4 * 1024 * 1024);
  });
});
