import { expect, test } from 'vitest';
import { createQuotaInput } from '../../../../server/dashboard/admin/accounts/QuotaField.tsx';
import { setMessageSource } from '../../../../shared/i18n/translate.ts';

setMessageSource((key) => key);

test.each([
  ['', null],
  [' 500 ', 500],
  ['0', undefined],
  ['1.5', undefined],
])('the quota “%s” is %s', (text, quota) => {
  const input = createQuotaInput(null);
  input.text.value = text;
  expect(input.read()).toBe(quota);
  expect(input.issue.value === undefined).toBe(quota !== undefined);
});

test('an unlimited quota is valid, whatever the field beside it says', () => {
  const input = createQuotaInput(null);
  input.text.value = '0';
  input.isUnlimited.value = true;
  expect(input.read()).toBe('unlimited');
  expect(input.issue.value).toBeUndefined();
});
