import { isPlainField } from '../../links/fields.ts';
import type { FormFields } from './form-fields.ts';

/** Stands for what is in a field for numbers or dates, but isn't one. */
const NO_VALUE = '?';

/**
 * What browsers don't report of a form: a number field with other text, or a part of a date, has an empty
 * value, so the wait or the start would silently be left out.
 */
export function readCorrections(form: HTMLFormElement): Partial<FormFields> {
  const invalid = [...form.querySelectorAll('input')].filter(({ validity }) => validity.badInput);
  const names = invalid
    .map(({ name }) => name)
    .filter((name) => isPlainField(name) || name === 'startsAt');
  return Object.fromEntries(names.map((name) => [name, NO_VALUE]));
}
