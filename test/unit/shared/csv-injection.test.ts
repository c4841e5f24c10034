import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../shared/csv-injection.ts';

test.each([
  ['=1+1', "'=1+1"],
  ["'=1", "''=1"],
  ['x;=2+2;y', "x;'=2+2;y"],
  ['x\t+2', "x\t'+2"],
  ['x\r\n@a', "x\r\n'@a"],
  [';"=1', `;"'=1`],
  ['https://example.com/?a=1;b=-2', 'https://example.com/?a=1;b=-2'],
  ['a\r\nb', 'a\r\nb'],
])('%j is written as %j', (cell, written) => {
  expect(escapeFormula(cell)).toBe(written);
});

const PIECES = [...'=+-@;\t\n\r"\'a,＝'];

test('no program sees a cell that is a formula, whatever it takes for the end of a cell', () => {
  const cell = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.tuple(cell, cell), (cells) => {
      const line = cells.map((each) => `"${escapeFormula(each).replaceAll('"', '""')}"`).join();
      for (const delimiter of [',', ';', '\t']) {
        const { data } = Papa.parse<string[]>(line, { delimiter, quoteChar: '\0' });
        const seen = data.flat().map((each) => each.replace(/^"+/, ''));
        const inside = delimiter === ',' ? [] : seen.slice(1);
        expect(inside.filter((each) => /^[=+\-@＝]/.test(each))).toEqual([]);
      }
      expect(cells.map(escapeFormula).map(unescapeFormula)).toEqual(cells);
    }),
    { numRuns: 2000 },
  );
});
