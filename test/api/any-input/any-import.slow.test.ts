import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLink, startService, type TestService } from '../support.ts';
import { exportFile, fixture, newAccount, sendImport } from '../transfer/support.ts';
import { anyJson, anyText } from './any-value.ts';

const FILES_EACH = 15;

type Row = Record<string, unknown>;
/** A file, and where its rows are. */
type Source = { from: string; text: string; rowsOf?: (file: never) => Row[] };

const tables = [
  ['bitly', 'bitly/links.csv'],
  ['shlink', 'shlink/web-client.csv'],
  ['yourls', 'yourls/yourls_url.csv'],
] as const;
const documents = [
  ['bitly', 'bitly/bitlinks.json', (file: { links: Row[] }) => file.links],
  ['kutt', 'kutt/links.json', (file: { data: Row[] }) => file.data],
  ['dub', 'dub/links.json', (file: Row[]) => file],
  [
    'shlink',
    'shlink/short-urls.json',
    (file: { shortUrls: { data: Row[] } }) => file.shortUrls.data,
  ],
  [
    'yourls',
    'yourls/stats.json',
    (file: { links: Record<string, Row> }) => Object.values(file.links),
  ],
] as const;

async function listSources(service: TestService): Promise<Source[]> {
  const token = await newAccount(service);
  await makeLink(service, { password: 'open', tags: ['a'], description: 'b' }, { token });
  const own = await exportFile(service, { format: 'json', secrets: 'true' }, token);
  const ownTable = await exportFile(service, { format: 'csv', secrets: 'true' }, token);
  const text = async (path: string) => (await fixture(path)).toString();
  return [
    { from: 'curt', text: own, rowsOf: ({ links }: { links: Row[] }) => links },
    { from: 'csv', text: ownTable },
    ...(await Promise.all(tables.map(async ([from, path]) => ({ from, text: await text(path) })))),
    ...(await Promise.all(
      documents.map(async ([from, path, rowsOf]) => ({ from, text: await text(path), rowsOf })),
    )),
  ];
}

/** The file with any text put into it. */
function anyChangeOf(text: string): fc.Arbitrary<string> {
  const place = fc.nat(text.length);
  return fc
    .tuple(
      place,
      fc.nat(5),
      fc.oneof(anyText, fc.constantFrom('"', ',', '\n', '{', ']', '\\u0000')),
    )
    .map(([at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed));
}

/** The file with one field of one row changed to anything. */
function anyRowChangeOf({ text, rowsOf }: Source): fc.Arbitrary<string> {
  const rows = rowsOf?.(JSON.parse(text) as never) ?? [];
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fc
    .tuple(fc.nat(rows.length - 1), fc.constantFrom(...fields), fc.oneof(anyJson, anyText))
    .map(([index, field, value]) => {
      const file = JSON.parse(text);
      const row = rowsOf?.(file as never)[index];
      if (row) row[field] = value;
      return JSON.stringify(file);
    });
}

test('no imported file makes the server fail, and one changed field fails one row at most', async () => {
  // An import is told only so often that others have an alias.
  const env = { RATE_LIMIT_PER_MINUTE: '1000000', UNKNOWN_PER_MINUTE: '1000000' };
  const service = await startService({ env });
  const failedBefore = () => service.logLines.filter((line) => line.includes('"level":50'));
  const token = await newAccount(service);
  for (const source of await listSources(service)) {
    const type = source.rowsOf ? 'application/json' : 'text/csv';
    const send = async (text: string) => {
      const response = await sendImport(service, source.from, text, { token, type });
      expect(failedBefore()).toEqual([]);
      expect(response.statusCode).toBeLessThan(500);
      return response;
    };
    const { data: unchanged } = (await send(source.text)).json();
    await fc.assert(
      fc.asyncProperty(anyChangeOf(source.text), async (text) => {
        await send(text);
      }),
      { numRuns: FILES_EACH },
    );
    if (!source.rowsOf) continue;
    await fc.assert(
      fc.asyncProperty(anyRowChangeOf(source), async (text) => {
        const response = await send(text);
        expect(response.statusCode).toBe(200);
        expect(response.json().data.failed).toBeLessThanOrEqual(unchanged.failed + 1);
      }),
      { numRuns: FILES_EACH },
    );
  }
});
