import { describe, expect, test, vi } from 'vitest';
import type { ImportedRow, ImportReport, ImportStatus } from '../../../../shared/links/transfer.ts';
import type { LinkSelection } from '../../../../shared/ui/links/link-source.ts';
import {
  createImportState,
  type ImportSource,
} from '../../../../shared/ui/transfer/import-state.ts';
import { ManualTime } from '../../../support/manual-time.ts';

const row = (fields: Partial<ImportedRow>): ImportedRow => ({
  ...{ row: 1, status: 'imported', alias: 'a', shortUrl: 'https://s.example/a', message: '' },
  source: { alias: null, shortUrl: 'bit.ly/a', originalUrl: 'https://example.com/' },
  issues: [],
  ...fields,
});

const reportOf = (dryRun: boolean, results: ImportedRow[] = []): ImportReport => ({
  ...{
    dryRun,
    importId: dryRun ? null : 'latest',
    source: 'csv',
    signs: [],
    columns: [],
    dates: null,
    encoding: 'utf-8',
  },
  rows: results.length,
  ...{ imported: results.length, renamed: 0, updated: 0, duplicates: 0, failed: 0, results },
});

const changed = (aliases: string[], nextCursor?: string) => ({
  ok: true as const,
  data: { matched: aliases.length, changed: aliases, failed: [], nextCursor },
});

function start(source: Partial<ImportSource> = {}) {
  const calls: unknown[] = [];
  const saved: Blob[] = [];
  const onImported = vi.fn(async () => {});
  const time = new ManualTime();
  const state = createImportState({
    source: {
      async importFile(_file, options) {
        calls.push(options);
        return { ok: true, data: reportOf(options.dryRun, [row({})]) };
      },
      readStatus: async () => undefined,
      stop: async () => {},
      changeAll: async () => changed([]),
      ...source,
    },
    saveFile: (content) => saved.push(content),
    saveAll: async () => {},
    onImported,
    time,
  });
  return { state, calls, saved, onImported, time };
}

test('choices are previewed together, and imported with', async () => {
  const { state, calls, onImported, time } = start();
  await state.choose(new Blob(['a']));
  state.change({ from: 'bitly' });
  state.setMeaning('Notes', null);
  state.setMeaning('Link', 'shortUrl');
  await time.advance(500);
  const choices = { from: 'bitly', mapping: { Notes: null, Link: 'shortUrl' } };
  expect(calls).toEqual([{ dryRun: true }, { ...choices, dryRun: true }]);
  await state.run();
  expect(calls.at(-1)).toEqual({ ...choices, dryRun: false });
  expect(onImported).toHaveBeenCalledTimes(1);
});

test('a preview says nothing once another file is chosen', async () => {
  const first = Promise.withResolvers<void>();
  let calls = 0;
  const { state } = start({
    async importFile(_file, { dryRun }) {
      if (++calls === 1) await first.promise;
      return { ok: true, data: reportOf(dryRun, calls === 1 ? [] : [row({})]) };
    },
  });
  const one = state.choose(new Blob(['one']));
  const two = state.choose(new Blob(['two']));
  first.resolve();
  await Promise.all([one, two]);
  expect(state.preview.value?.results).toHaveLength(1);
});

test('only an unknown encoding is asked about', async () => {
  const issues = [{ path: 'encoding', message: 'Choose.' }];
  const texts = { title: 'No', text: 'Not UTF-8' };
  const failure = { ok: false, code: 'invalid_request', issues, ...texts } as const;
  const { state } = start({ importFile: async () => failure });
  await state.choose(new Blob(['a']));
  expect(state.asksEncoding.value).toBe(true);
  expect(state.failure.value).toEqual(failure);
});

const statusOf = (links: number, edited = 0): ImportStatus => ({
  ...{ importId: 'latest', started: '2030-01-01T00:00:00.000Z', rows: 150, done: 150 },
  ...{ isRunning: false, undo: { links, edited } },
});

test('follows an import that runs elsewhere, or whose response was lost', async () => {
  const running = { ...statusOf(0), done: 50, isRunning: true, undo: null };
  const statuses = [running, { ...running, done: 100 }, statusOf(150)];
  const { state, onImported, time } = start({ readStatus: async () => statuses.shift() });
  await state.refresh();
  expect(state.latest.value?.done).toBe(50);
  await time.advance(1000);
  expect(state.latest.value?.done).toBe(100);
  expect(onImported).not.toHaveBeenCalled();
  await time.advance(1000);
  expect(state.latest.value?.undo?.links).toBe(150);
  expect(onImported).toHaveBeenCalledTimes(1);
});

describe('undo', () => {
  test('deletes what the latest import has added, part by part', async () => {
    const calls: unknown[] = [];
    let left = 150;
    const { state, onImported } = start({
      readStatus: async () => statusOf(left),
      async changeAll(selection, change, options) {
        calls.push([selection, change, options]);
        const aliases = Array.from({ length: Math.min(left, 100) }, (_, index) => `l${index}`);
        left -= aliases.length;
        return changed(aliases, left > 0 ? 'next' : undefined);
      },
    });
    await state.refresh();
    expect(state.latest.value?.undo).toEqual({ links: 150, edited: 0 });
    await state.undo();
    expect(calls).toEqual([
      [{ importId: 'latest' }, { isDeleted: true }, { cursor: undefined }],
      [{ importId: 'latest' }, { isDeleted: true }, { cursor: 'next' }],
    ]);
    expect(state.undone.value).toEqual({ count: 150, isRestored: false });
    expect(state.latest.value?.undo?.links).toBe(0);
    expect(onImported).toHaveBeenCalledTimes(1);
  });

  test('asks first if a link was edited since, also if that was not known', async () => {
    const calls: LinkSelection[] = [];
    let edited = 0;
    const { state } = start({
      readStatus: async () => statusOf(2, edited),
      async changeAll(selection) {
        calls.push(selection);
        return changed(['a', 'b']);
      },
    });
    await state.refresh();
    edited = 1;
    await state.undo();
    expect([state.isAsking.value, state.latest.value?.undo?.edited, calls]).toEqual([true, 1, []]);
    state.dismissUndo();
    expect([state.isAsking.value, calls]).toEqual([false, []]);
    await state.undo();
    await state.confirmUndo();
    expect([state.isAsking.value, calls]).toEqual([false, [{ importId: 'latest' }]]);
  });

  test('can be tried again after a failure', async () => {
    const { state } = start({
      readStatus: async () => statusOf(1),
      changeAll: async () => ({ ok: false, code: 'unreachable', text: 'Try again' }),
    });
    await state.undo();
    expect(state.failure.value).toMatchObject({ text: 'Try again' });
    expect(state.latest.value?.undo?.links).toBe(1);
  });
});

test('restores deleted links of the file, 100 at a time', async () => {
  const parts: number[] = [];
  const results = Array.from({ length: 150 }, (_, index) =>
    row({ row: index, status: 'duplicate', alias: `l${index}`, isRestorable: true }),
  );
  const { state } = start({
    importFile: async (_file, { dryRun }) => ({ ok: true, data: reportOf(dryRun, results) }),
    async changeAll(selection, { isDeleted }) {
      const aliases = 'aliases' in selection && isDeleted === false ? selection.aliases : [];
      parts.push(aliases.length);
      return changed(aliases);
    },
  });
  await state.choose(new Blob(['a']));
  await state.restore();
  expect(parts).toEqual([100, 50]);
  expect(state.undone.value).toEqual({ count: 150, isRestored: true });
});

test('the report is a table of old and new, without formulas', async () => {
  const issues = [{ field: 'title', message: '=1+1' }];
  const { state, saved } = start({
    importFile: async (_file, { dryRun }) => ({
      ok: true,
      data: reportOf(dryRun, [row({ issues }), row({ issues: [{ field: null, message: '=2' }] })]),
    }),
  });
  await state.choose(new Blob(['a']));
  state.download();
  expect(await saved[0]?.text()).toBe(
    [
      '"row","old","new","destination","status","issues"',
      '"1","bit.ly/a","https://s.example/a","https://example.com/","imported","title: =1+1"',
      '"1","bit.ly/a","https://s.example/a","https://example.com/","imported","\'=2"',
      '',
    ].join('\r\n'),
  );
});
