import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cellsOfCsv,
  escapeFormula,
  splitCsv,
  toCsvLine,
  unescapeFormula,
} from '../../../shared/csv.ts';

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
      const line = toCsvLine(cells.map(escapeFormula));
      for (const delimiter of [',', ';', '\t']) {
        const seen = line
          .split(new RegExp(`[${delimiter}\r\n]`))
          .map((each) => each.replace(/^"+/, ''));
        const inside = delimiter === ',' ? [] : seen.slice(1);
        expect(inside.filter((each) => /^[=+\-@＝]/.test(each))).toEqual([]);
      }
      expect(cells.map(escapeFormula).map(unescapeFormula)).toEqual(cells);
      const table = [cells, cells, ['']];
      expect(splitCsv(table.map(toCsvLine).join('')).map(cellsOfCsv)).toEqual(table);
    }),
    { numRuns: 2000 },
  );
});
