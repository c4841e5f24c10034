import { describe, expect, test } from 'vitest';
import { hashToken } from '../../../server/accounts/tokens.ts';
import { call, makeLink, sharedService, startService, type TestService } from '../support.ts';
import {
  exportFile,
  importFile,
  newAccount,
  sendImport,
  startWithAccount,
  statuses,
} from './support.ts';

const CSV = { type: 'text/csv' };
const TARGET = 'https://example.com/page';

async function startWithLink(fields: object = {}) {
  const { service, token } = await startWithAccount();
  await makeLink(
    service,
    { customAlias: 'mine', originalUrl: TARGET, title: 'Mine', ...fields },
    { token },
  );
  return { service, token };
}

const withoutModified = ({ modified: _, ...link }: { modified: string }) => link;

async function exportedRows(service: TestService, token: string) {
  const [header = '', ...rows] = (await exportFile(service, { format: 'csv' }, token)).split(
    '\r\n',
  );
  return { header, row: rows.find((row) => row.includes('/mine"')) ?? '' };
}

describe('an exported table that was edited', () => {
  async function edited(change: (row: string) => string, fields: object = {}) {
    const { service, token } = await startWithLink(fields);
    const { header, row } = await exportedRows(service, token);
    return { service, token, file: `${header}\r\n${change(row)}\r\n` };
  }

  test('says what differs, and changes nothing', async () => {
    const { service, token, file } = await edited((row) => row.replace('"Mine"', '"Yours"'));
    const report = await importFile(service, undefined, file, { token, ...CSV });
    expect(report.results).toMatchObject([
      { status: 'duplicate', alias: 'mine', message: expect.stringContaining('differs in title') },
    ]);
    expect(await service.store.findLink('mine')).toMatchObject({ title: 'Mine' });
  });

  test('changes the link with update=true, as an edit does, and a dry run says so', async () => {
    const { service, token, file } = await edited((row) =>
      row
        .replace('"Mine"', '"Yours"')
        .replaceAll('https://example.com/page', 'https://example.com/new'),
    );
    const options = { token, ...CSV, query: { update: 'true' } };
    const dry = await importFile(service, undefined, file, { ...options, dryRun: true });
    expect(await service.store.findLink('mine')).toMatchObject({ title: 'Mine', version: 1 });
    const report = await importFile(service, undefined, file, options);
    expect(dry.results).toEqual(report.results);
    expect(report).toMatchObject({ updated: 1, duplicates: 0, imported: 0 });
    expect(report.results[0]?.message).toBe('Changed: originalUrl, title.');
    expect(await service.store.findLink('mine')).toMatchObject({
      title: 'Yours',
      targetUrl: 'https://example.com/new',
      version: 2,
    });
    const again = await importFile(service, undefined, file, options);
    expect(statuses(again)).toEqual(['duplicate']);
  });

  test('is taken back by importing the file from before', async () => {
    const { service, token, file } = await edited((row) => row.replace('"Mine"', '"Yours"'), {
      expiresInDays: 3,
      tags: ['a'],
      rules: [{ device: 'phone', originalUrl: 'https://example.com/phone' }],
    });
    const before = await exportFile(service, {}, token);
    const query = { update: 'true' };
    const emptied = file.replace('"a"', '""');
    const report = await importFile(service, undefined, emptied, { token, ...CSV, query });
    expect(report.results[0]?.message).toBe('Changed: title, tags.');
    await importFile(service, undefined, before, { token, query });
    const withoutTimes = (text: string) => JSON.parse(text).links.map(withoutModified);
    expect(withoutTimes(await exportFile(service, {}, token))).toEqual(withoutTimes(before));
  });

  test('leaves a link with a password active, although the file does not have the password', async () => {
    const { service, token, file } = await edited((row) => row, { password: 'correct horse' });
    const same = await importFile(service, undefined, file, { token, ...CSV });
    expect(same.results[0]?.message).toBe('The account has this link already.');
    const query = { update: 'true' };
    const titled = file.replace('"Mine"', '"Yours"');
    const report = await importFile(service, undefined, titled, { token, ...CSV, query });
    expect(report.results[0]?.message).toBe('Changed: title.');
    expect(await service.store.findLink('mine')).toMatchObject({ title: 'Yours', isActive: true });
  });

  test('pauses a link with a password that was paused in the file', async () => {
    const { service, token } = await startWithLink({ password: 'correct horse' });
    await call(service, 'PATCH /api/links/mine', { token, body: { isActive: false } });
    const { header, row } = await exportedRows(service, token);
    await call(service, 'PATCH /api/links/mine', { token, body: { isActive: true } });
    const query = { update: 'true' };
    await importFile(service, undefined, `${header}\r\n${row}\r\n`, { token, ...CSV, query });
    expect(await service.store.findLink('mine')).toMatchObject({ isActive: false });
  });

  test('says why it pauses a link', async () => {
    const { service, token, file } = await edited((row) => row, { password: 'correct horse' });
    await call(service, 'PATCH /api/links/mine', { token, body: { password: null } });
    const query = { update: 'true' };
    const report = await importFile(service, undefined, file, { token, ...CSV, query });
    expect(report.results[0]?.message).toMatch(
      /^Changed: isActive\. The file does not have the pass/,
    );
  });

  test('adds another link if its alias was edited, and says so', async () => {
    const { service, token, file } = await edited((row) => row.replace('"mine"', '"yours"'));
    const report = await importFile(service, undefined, file, { token, ...CSV });
    expect(report.results).toMatchObject([
      { status: 'imported', alias: 'yours', message: expect.stringContaining('says "mine", but') },
    ]);
  });

  test('gets no Tag Manager container where they are off', async () => {
    const { service, token } = await startWithAccount({ env: { CUSTOM_GTM: 'off' } });
    await importFile(service, 'curt', [{ alias: 'mine', originalUrl: TARGET }], { token });
    const tagged = { alias: 'mine', originalUrl: TARGET, customGtmId: 'GTM-ABC123' };
    for (const [title, status] of [
      ['Titled', 'updated'],
      ['Titled', 'duplicate'],
    ]) {
      const query = { update: 'true' };
      const report = await importFile(service, 'curt', [{ ...tagged, title }], { token, query });
      expect(report.results).toMatchObject([
        { status, message: expect.stringContaining('container is left out') },
      ]);
    }
    const link = await service.store.findLink('mine');
    expect(link).toMatchObject({ title: 'Titled', customGtmId: null });
  });

  test('that would expire before it starts fails', async () => {
    const { service, token } = await startWithLink({ expiresInDays: 3 });
    const later = { alias: 'mine', originalUrl: TARGET, startsAt: '2099-01-01T00:00:00Z' };
    const query = { update: 'true' };
    const report = await importFile(service, 'curt', [later], { token, query });
    expect(report.results).toMatchObject([{ status: 'failed', issues: [{ field: 'startsAt' }] }]);
    expect(await service.store.findLink('mine')).toMatchObject({ startsAt: null });
  });

  test('with a target that is not allowed fails', async () => {
    const { service, token, file } = await edited((row) =>
      row.replaceAll('https://example.com/page', 'https://s.example/loop'),
    );
    const query = { update: 'true' };
    const report = await importFile(service, undefined, file, { token, ...CSV, query });
    expect(report.results).toMatchObject([
      { status: 'failed', issues: [{ field: 'originalUrl' }] },
    ]);
  });
});

const shared = sharedService();

test.each([
  ['00789', '789'],
  ['1E8', '1.00E+08'],
])('the alias %s that a spreadsheet wrote as %s is the same link', async (alias, written) => {
  const { service, token } = await startWithLink({ customAlias: alias });
  const file = await exportFile(service, { format: 'csv' }, token);
  // As Excel saves it: with the region's separator, few quotation marks and rewritten numbers.
  const rewritten = file.replaceAll('","', '";"').replaceAll(`"${alias}"`, written);
  const report = await importFile(service, undefined, rewritten, { token, ...CSV });
  const row = report.results.find(({ source }) => source.shortUrl?.endsWith(`/${alias}`));
  expect(row).toMatchObject({ status: 'duplicate', alias });
  expect(row?.message).toContain('as a spreadsheet writes it');

  const other = shared();
  const otherToken = await newAccount(other);
  await importFile(other, undefined, rewritten, { token: otherToken, ...CSV });
  expect(await other.store.findLink(alias)).toMatchObject({ alias });
});

test('a link that was deleted can be restored', async () => {
  const { service, token } = await startWithLink();
  const file = await exportFile(service, {}, token);
  await call(service, 'DELETE /api/links/mine', { token });
  const { results } = await importFile(service, undefined, file, { token });
  const row = results.find(({ alias }) => alias === 'mine');
  expect(row).toMatchObject({ status: 'duplicate', isRestorable: true });
  expect((await call(service, 'POST /api/links/mine/restore', { token })).statusCode).toBe(200);
});

describe('an import that runs', () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    originalUrl: `https://example.com/${index}`,
  }));

  test('says how far it is, and ends when it is stopped, with a report of what is done', async () => {
    const { service, token } = await startWithAccount();
    const progress = async (method = 'GET') =>
      (await call(service, `${method} /api/links/import`, { token })).json().data;
    expect(await progress()).toBeNull();
    expect(await progress('DELETE')).toBeNull();
    const { store } = service;
    const addLink = store.addLink.bind(store);
    const hasBegun = Promise.withResolvers<void>();
    const isStopped = Promise.withResolvers<void>();
    let calls = 0;
    store.addLink = async (newLink) => {
      if (++calls > 100) {
        hasBegun.resolve();
        await isStopped.promise;
      }
      return addLink(newLink);
    };
    const imported = sendImport(service, 'curt', rows, { token });
    await hasBegun.promise;
    expect(await progress()).toMatchObject({ rows: 300, isRunning: true, undo: null });
    await expect.poll(async () => (await progress()).done, { interval: 1 }).toBeGreaterThan(0);
    expect(await progress('DELETE')).toMatchObject({ rows: 300, isRunning: true });
    isStopped.resolve();
    const report = (await imported).json().data;
    expect(report.failed).toBeGreaterThan(0);
    expect(report.imported + report.failed).toBe(300);
    const stopped = report.results.filter(({ status }: { status: string }) => status === 'failed');
    expect(stopped[0].message).toBe('The import was stopped before this row.');
    expect(await progress('DELETE')).toBeNull();
    expect(await progress()).toMatchObject({
      ...{ importId: report.importId, rows: 300, done: 300, isRunning: false },
      undo: { links: report.imported, edited: 0 },
    });
    store.addLink = addLink;
    const again = await importFile(service, 'curt', rows, { token });
    expect(again).toMatchObject({ imported: report.failed, duplicates: report.imported });
  });

  test('is nothing that another account sees or stops', async () => {
    const service = await startService();
    const [token, other] = [await newAccount(service), await newAccount(service)];
    const imported = sendImport(service, 'curt', rows, { token });
    const { data } = (await call(service, 'DELETE /api/links/import', { token: other })).json();
    expect(data).toBeNull();
    expect((await imported).json().data.imported).toBe(300);
  });
});

describe('an import', () => {
  const links = (aliases: string[]) =>
    aliases.map((alias) => ({ alias, originalUrl: `https://example.com/${alias}` }));

  async function startWithImport() {
    const { service, token } = await startWithLink();
    await importFile(service, 'curt', links(['before']), { token });
    const report = await importFile(service, 'curt', links(['mine', 'one', 'two']), { token });
    const send = async (request: string, body?: object) =>
      (await call(service, request, { token, body })).json();
    const latest = async () => (await send('GET /api/links/import')).data;
    return { service, token, report, send, latest };
  }

  test('is undone by deleting what it has added, for a day, and says how much was edited', async () => {
    const { service, report, send, latest } = await startWithImport();
    expect(report).toMatchObject({ imported: 2, renamed: 1, importId: expect.any(String) });
    const { importId } = report;
    await send('PATCH /api/links/one', { title: 'Edited' });
    await send('DELETE /api/links/two');
    expect(await latest()).toMatchObject({ importId, undo: { links: 2, edited: 1 } });
    await send('POST /api/links/two/restore');
    expect(await latest()).toMatchObject({ importId, undo: { links: 3, edited: 1 } });
    await send('DELETE /api/links/two');
    const undone = await send(`DELETE /api/links?importId=${importId}`);
    const [renamed] = report.results.filter(({ status }) => status === 'renamed');
    expect(undone.data.changed.sort()).toEqual([renamed?.alias, 'one'].sort());
    expect(await latest()).toMatchObject({ undo: { links: 0, edited: 0 } });
    const { data } = await send('GET /api/links');
    expect(data.map(({ alias }: { alias: string }) => alias)).toEqual(
      expect.arrayContaining(['before', 'mine']),
    );
    expect(data).toHaveLength(3);
    await service.clock.advance(24 * 60 * 60 * 1000 + 1);
    expect(await latest()).toBeNull();
  });

  test.each([
    ['the same', {}, {}],
    ['another mapping', { mapping: '{"note":"title"}' }, { title: 'Hello', description: null }],
  ])(
    'that was undone does not count when the file is imported again with %s',
    async (_how, query, fields) => {
      const { service, token, send } = await startWithImport();
      // Of the last two, no alias leads to the link of the row.
      const file =
        'url,alias,note\nhttps://example.com/a,red,Hello\nhttps://example.com/b,mine,Hello\nhttps://example.com/c,,Hello\n';
      const first = await importFile(service, undefined, file, { token, ...CSV });
      expect(first).toMatchObject({ imported: 2, renamed: 1 });
      await send('DELETE /api/links/one');
      await send(`DELETE /api/links?importId=${first.importId}&dryRun=true`);
      const early = await importFile(service, undefined, file, { token, ...CSV });
      expect(early).toMatchObject({ duplicates: 3 });
      await send(`DELETE /api/links?importId=${first.importId}`);
      const options = { token, ...CSV, query };
      for (const dryRun of [true, false]) {
        const again = await importFile(service, undefined, file, { ...options, dryRun });
        expect(again).toMatchObject({ imported: 2, renamed: 1, duplicates: 0, failed: 0 });
      }
      expect(await service.store.findLink('red')).toMatchObject({ deletedAt: null, ...fields });
      const third = await importFile(service, undefined, file, { token, ...CSV });
      expect(third).toMatchObject({ duplicates: 3 });
      // Deleted by its owner, not by an undo.
      const deleted = await importFile(service, 'curt', links(['one']), { token });
      expect(deleted.results).toMatchObject([{ status: 'duplicate', isRestorable: true }]);
    },
  );

  test('says of a row without alias, too, that its link can be restored', async () => {
    const { service, token, send } = await startWithImport();
    const file = 'https://example.com/list\n';
    const { results } = await importFile(service, 'list', file, { token, ...CSV });
    await send(`DELETE /api/links/${results[0]?.alias}`);
    const again = await importFile(service, 'list', file, { token, ...CSV });
    expect(again.results).toMatchObject([
      { status: 'duplicate', isRestorable: true, alias: results[0]?.alias },
    ]);
  });

  test('that was undone is not erased where its links were restored since', async () => {
    const { service, token, report, send } = await startWithImport();
    await send(`DELETE /api/links?importId=${report.importId}`);
    await send('POST /api/links/two/restore');
    const again = await importFile(service, 'curt', links(['one', 'two']), { token });
    expect(statuses(again)).toEqual(['imported', 'duplicate']);
  });

  test('that adds nothing leaves the one before to be undone', async () => {
    const { service, token, report, latest } = await startWithImport();
    const again = await importFile(service, 'curt', links(['one', 'two']), { token });
    expect(again.duplicates).toBe(2);
    const dry = await importFile(service, 'curt', links(['three']), { token, dryRun: true });
    expect(dry.importId).toBeNull();
    expect((await latest()).importId).toBe(report.importId);
  });

  test('of another account is neither seen nor undone', async () => {
    const { service, report } = await startWithImport();
    const token = await newAccount(service);
    const { data } = (await call(service, 'GET /api/links/import', { token })).json();
    expect(data).toBeNull();
    await call(service, `DELETE /api/links?importId=${report.importId}`, { token });
    expect(await service.store.findLink('one')).toMatchObject({ deletedAt: null });
  });

  test('can be undone after a restart', async () => {
    const { service, token, report } = await startWithImport();
    await service.close();
    const again = await startService({ data: service.data });
    const { data } = (await call(again, 'GET /api/links/import', { token })).json();
    expect(data).toMatchObject({ importId: report.importId, undo: { links: 3, edited: 0 } });
  });

  test('whose server was killed runs no more after a minute', async () => {
    const { service, token, latest } = await startWithImport();
    const owner = await service.store.findToken(hashToken(token));
    const { id = '', lastImport } = owner?.account ?? {};
    if (!lastImport) throw new Error('the account has had no import');
    await service.store.administration.editAccount(id, { lastImport: { ...lastImport, done: 2 } });
    expect(await latest()).toMatchObject({ isRunning: true, undo: null });
    await service.clock.advance(60_000);
    expect(await latest()).toMatchObject({ isRunning: false, undo: { links: 3 } });
    // The clock of the machine was wrong, and is set back.
    await service.clock.advance(-3_600_000);
    expect(await latest()).toMatchObject({ isRunning: false, undo: { links: 3 } });
  });

  test('of a server whose clock is minutes ahead runs', async () => {
    const { service, token, latest } = await startWithImport();
    const owner = await service.store.findToken(hashToken(token));
    const { id = '', lastImport } = owner?.account ?? {};
    if (!lastImport) throw new Error('the account has had no import');
    const updated = service.clock.now() + 5 * 60_000;
    const ahead = { ...lastImport, started: updated, updated, done: 2 };
    await service.store.administration.editAccount(id, { lastImport: ahead });
    expect(await latest()).toMatchObject({ isRunning: true, undo: null });
    const stopped = await call(service, 'DELETE /api/links/import', { token });
    expect(stopped.json().data).toMatchObject({ importId: lastImport.importId, isRunning: true });
  });
});
