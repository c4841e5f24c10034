import { describe, expect, test } from 'vitest';
import {
  CHOICE_NAMES,
  type ChoiceName,
  chosenIn,
  EVERYTHING,
  filtersIn,
  type LinkQuery,
  readParameters,
  toListFilter,
} from '../../../../shared/links/list-query.ts';
import { eachFilterField, FILTER_FIELDS } from '../../../../shared/links/plain-fields.ts';
import { invalidValuesOf, valuesOf } from '../../../support/field-values.ts';

const SAMPLES: { [K in ChoiceName]: NonNullable<LinkQuery[K]> } = {
  q: 'two words',
  tag: 'a tag',
  domain: 'go.example',
  status: 'expired',
  sort: 'visits',
  ...eachFilterField((name) => valuesOf(name)[0] as never),
};
const read = (parameters: object) =>
  readParameters(new URLSearchParams(Object.entries(parameters).map(([k, v]) => [k, String(v)])));

describe('what is chosen in a list', () => {
  test.each(CHOICE_NAMES)('is read from the address as it was written: %s', (name) => {
    const { [name]: value } = SAMPLES;
    expect(read({ [name]: value })).toEqual({ ...EVERYTHING, [name]: value });
    expect(chosenIn({ [name]: value })).toEqual([name]);
    expect(toListFilter({ [name]: value })).toEqual(name === 'sort' ? {} : { [name]: value });
  });

  test('is nothing without parameters, or with values that no list has', () => {
    const ofFields = FILTER_FIELDS.flatMap((name) =>
      invalidValuesOf(name).map((value) => ({ [name]: value })),
    );
    for (const parameters of [{}, { status: 'lost', sort: 'size', page: '2' }, ...ofFields]) {
      expect(read(parameters)).toEqual(EVERYTHING);
    }
  });

  test('counts the filters without search and order', () => {
    const others = CHOICE_NAMES.filter((name) => name !== 'q' && name !== 'sort');
    expect(filtersIn(SAMPLES)).toEqual(others);
  });
});
