import { expect, test } from 'vitest';
import {
  type FormFields,
  fieldsFor,
  issuesByField,
  toRequest,
} from '../../../extension/popup/form-fields.ts';

const PAGE = 'https://example.com/page';

function form(fields: Partial<FormFields>): FormFields {
  return { ...fieldsFor(''), ...fields };
}

test('an empty form asks for the page alone', () => {
  expect(toRequest(PAGE, fieldsFor(''))).toEqual({ ok: true, request: { originalUrl: PAGE } });
});

test('every field of the form is a field of the request', () => {
  const fields = form({
    alias: ' docs ',
    password: ' with spaces ',
    expiryKind: 'duration',
    expiryAmount: '1.5',
    expiryUnit: 'hours',
    waitSeconds: '10',
    container: 'GTM-ABC1234',
    title: 'A title',
    description: 'One line\nand another',
  });
  expect(toRequest(PAGE, fields)).toEqual({
    ok: true,
    request: {
      originalUrl: PAGE,
      customAlias: 'docs',
      password: ' with spaces ',
      expiresInHours: 1.5,
      waitTimer: 10,
      customGtmId: 'GTM-ABC1234',
      title: 'A title',
      description: 'One line\nand another',
    },
  });
});

test('a local date is sent as the moment it is', () => {
  const wish = toRequest(PAGE, form({ expiryKind: 'date', expiryDate: '2030-01-31T12:00' }));
  expect(wish.ok && wish.request.expiresAt).toBe(new Date(2030, 0, 31, 12).toISOString());
});

test('what stands in the hidden half of the expiry is not sent', () => {
  const wish = toRequest(
    PAGE,
    form({ expiryKind: 'never', expiryDate: '2030-01-31T12:00', expiryAmount: '3' }),
  );
  expect(wish).toEqual({ ok: true, request: { originalUrl: PAGE } });
});

test.each([
  [{ expiryKind: 'date' }, 'expiryDate'],
  [{ expiryKind: 'duration' }, 'expiryAmount'],
  [{ expiryKind: 'duration', expiryAmount: 'soon' }, 'expiryAmount'],
  [{ waitSeconds: 'a while' }, 'waitSeconds'],
] as const)('%j is held back, with the issue at %s', (fields, name) => {
  const wish = toRequest(PAGE, form(fields));
  expect(wish.ok ? [] : Object.keys(wish.issues)).toEqual([name]);
});

test('a page’s title is made to fit: one line, 300 characters, no emoji cut in half', () => {
  expect(fieldsFor('  Two\n lines\t and\u0007 more ').title).toBe('Two lines and more');
  expect([...fieldsFor('🙂'.repeat(400)).title]).toHaveLength(300);
});

test('the server’s issues stand at the fields that show them', () => {
  const issues = [
    { path: 'customAlias', message: 'Alias.' },
    { path: 'expiresInDays', message: 'Days.' },
    { path: 'waitTimer', message: 'Wait.' },
    { path: 'originalUrl', message: 'URL.' },
  ];
  expect(issuesByField(issues, form({ expiryKind: 'duration' }))).toEqual({
    alias: { sentence: 'Alias.' },
    expiryAmount: { sentence: 'Days.' },
    waitSeconds: { sentence: 'Wait.' },
  });
  expect(issuesByField(issues, form({ expiryKind: 'date' }))).toHaveProperty('expiryDate');
});
