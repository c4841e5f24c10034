import { expect, test } from 'vitest';
import {
  type FilterDependencies,
  type Filters,
  toConditions,
} from '../../../../server/links/manage/list-links.ts';

type Filter = { version?: number | undefined; isPinned?: boolean | undefined; tag?: string };
/** Such filters do not need anything. */
const NOTHING = {} as FilterDependencies;
const FILTERS: Filters<Filter> = {
  version: (editedSince) => ({ editedSince }),
  isPinned: (isDeleted) => ({ isDeleted }),
  tag: (tag) => ({ tag }),
};

test('every value that is given is a condition, also 0 and false, but no empty text', () => {
  expect(toConditions(FILTERS, { version: 0 }, NOTHING)).toMatchObject({ editedSince: 0 });
  expect(toConditions(FILTERS, { isPinned: true }, NOTHING)).toMatchObject({ isDeleted: true });
  const none = toConditions(FILTERS, { tag: '', version: undefined }, NOTHING);
  expect(Object.keys(none)).not.toContain('tag');
  expect(Object.keys(none)).not.toContain('editedSince');
});
