import { isPlainField } from '../../links/fields.ts';
import type { FormFields } from './form-fields.ts';

/** Stands for text in a number field that isn't a number. */
const NOT_A_NUMBER = '?';

/**
 * What browsers don't report of a form: a number field with other text has an empty value, so the wait
 * would silently be left out.
 */
export function readCorrections(form: HTMLFormElement): Partial<FormFields> {
  const invalid = [...form.querySelectorAll('input')].filter(({ validity }) => validity.badInput);
  const names = invalid.map(({ name }) => name).filter(isPlainField);
  return Object.fromEntries(names.map((name) => [name, NOT_A_NUMBER]));
}
