import { expect, test } from 'vitest';
import { pickMessages } from '../../../../server/dashboard/build/used-messages.ts';
import { fillIn } from '../../../../shared/i18n/fill-in.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';

test('substitutions replace numbers, and are not searched again', () => {
  expect(fillIn('$1 of $2', ['$2', '$LEFT$'])).toBe('$2 of $LEFT$');
  expect(fillIn('$1 of $2', ['5'])).toBe('5 of ');
});

test('the dashboard gets the texts that it uses, with all plural forms, and no others', () => {
  const [first, more] = [pickMessages('ar', 'first'), pickMessages('ar', 'more')];
  const picked = { ...first, ...more };
  expect(Object.keys(picked)).toEqual(
    expect.arrayContaining(['language_tag', 'sign_in', 'import_added_few', 'import_added_other']),
  );
  // The names of a link's fields are only in the table of fields.
  expect(picked).toHaveProperty('field_container');
  expect(picked).not.toHaveProperty('welcome_intro');
  expect(picked).not.toHaveProperty('omnibox_hint');
  const all = Object.keys(readLocales().ar ?? {});
  expect(Object.keys(picked).length).toBeLessThan(all.length);
  // Each text is in one part.
  expect(Object.keys(picked)).toHaveLength(Object.keys(first).length + Object.keys(more).length);
  expect(first).toHaveProperty('links_search');
  expect(first).toHaveProperty('links_count_few');
  expect(more).toHaveProperty('import_added_few');
});
