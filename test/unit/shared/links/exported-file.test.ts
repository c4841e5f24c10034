import { describe, expect, test } from 'vitest';
import { nameOfPart, splitExport } from '../../../../shared/links/exported-file.ts';

const HEAD = '{"curt":"links","version":1,"exported":"2026-11-20T12:00:00.000Z","links":[\n';
const json = (...links: object[]) =>
  `${HEAD}${links.map((link) => JSON.stringify(link)).join(',\n')}\n]}\n`;
const links = [1, 2, 3, 4, 5].map((id) => ({ alias: `a${id}`, title: 'x,\n],\n"' }));

describe('an export', () => {
  test('stays one file if an import takes it', () => {
    for (const text of [json(...links), `${HEAD}]}\n`]) {
      expect(splitExport(text, 'json')).toEqual([text]);
    }
    for (const text of ['\ufeffalias\r\n', '\ufeffalias\r\na\r\n']) {
      expect(splitExport(text, 'csv')).toEqual([text]);
      // As `Blob.text` returns it: spreadsheets need the mark.
      expect(splitExport(text.slice(1), 'csv')).toEqual([text]);
    }
  });

  test('is split by rows into files that are complete', () => {
    const parts = splitExport(json(...links), 'json', { rows: 2, bytes: 10_000 });
    expect(parts).toEqual([
      json(...links.slice(0, 2)),
      json(...links.slice(2, 4)),
      json(...links.slice(4)),
    ]);
  });

  test('is split by bytes of UTF-8', () => {
    const wide = [{ title: 'ü'.repeat(100) }, { title: 'ü'.repeat(100) }];
    const bytes = new TextEncoder().encode(json(wide[0] ?? {})).length + 2;
    expect(splitExport(json(...wide), 'json', { rows: 10, bytes })).toHaveLength(2);
    expect(splitExport(json(...wide), 'json', { rows: 10, bytes: 2 * bytes })).toHaveLength(1);
  });

  test('of a table is split between rows, and each file has the header', () => {
    const header = '\ufeffalias,description\r\n';
    const rows = ['a,"one\r\ntwo ""x"""\r\n', 'b,plain\r\n', 'c,"\r\n"\r\n'];
    expect(splitExport(header + rows.join(''), 'csv', { rows: 1, bytes: 1000 })).toEqual(
      rows.map((row) => header + row),
    );
  });
});

test.each([
  ['links.json', 'links-2.json'],
  ['/a.b/links', '/a.b/links-2'],
  ['./my links.csv', './my links-2.csv'],
])('the second part of %s is %s', (name, expected) => {
  expect(nameOfPart(name, 2)).toBe(expected);
});
