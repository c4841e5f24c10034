import { t } from '../../i18n/translate.ts';
import type { RuleInput } from './rule-inputs.ts';

/** A failure, and whether the form shows each part of it at a field. */
export type Marked<T> = T & { isMarked: boolean };

export type ServerFailure = { code: string; issues?: { path: string }[] | undefined };

/**
 * Returns what a failed request says about the fields of a form, in the user's language.
 *
 * @param fieldOf the field that shows a name or path of the API; undefined if none does
 */
export function markFields<T extends ServerFailure, Name extends string>(
  failure: T,
  fieldOf: (path: string) => Name | undefined,
): { failure: Marked<T>; issues: { [K in Name]?: string } } {
  const { code, issues = [] } = failure;
  const text = t(code === 'expires_in_past' ? 'expires_in_past_text' : 'field_rejected');
  const fields = issues.map(({ path }) => fieldOf(path));
  const marked = fields.flatMap((field) => (field ? [[field, text]] : []));
  const alias = code === 'alias_taken' && fieldOf('customAlias');
  if (alias) marked.push([alias, t('alias_taken_title')]);
  return {
    failure: { ...failure, isMarked: marked.length > 0 && !fields.includes(undefined) },
    issues: Object.fromEntries(marked) as { [K in Name]?: string },
  };
}

/**
 * Returns the issues that are left once some fields have other values. What is wrong with one rule stays while
 * another one is changed.
 */
export function issuesLeft<T extends object>(
  issues: T,
  before: { rules: RuleInput[] },
  changes: { rules?: RuleInput[] },
): T {
  const left = Object.entries(issues).filter(([path]) => {
    const [name = '', index] = path.split('.');
    if (!(name in changes)) return true;
    return index !== undefined && before.rules[Number(index)] === changes.rules?.[Number(index)];
  });
  return Object.fromEntries(left) as T;
}

/**
 * Returns what the browser knows to be no number or date: the value of such a field is empty, as if nothing were
 * typed.
 */
export function unreadableInputs(form: HTMLFormElement): { [name: string]: string } {
  const unreadable = [...form.querySelectorAll('input')].filter(
    ({ validity }) => validity.badInput,
  );
  const textOf = ({ type }: HTMLInputElement) =>
    t(type === 'number' ? 'field_number_invalid' : 'rule_value_missing');
  return Object.fromEntries(unreadable.map((input) => [input.name, textOf(input)]));
}

/** Moves the focus to the first invalid field, which may be out of view. */
export function focusFirstIssue(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  let closed = invalid?.closest<HTMLDetailsElement>('details:not([open])');
  while (closed) {
    closed.open = true;
    closed = closed.closest<HTMLDetailsElement>('details:not([open])');
  }
  invalid?.focus();
}
