import { t } from '../../i18n/translate.ts';

/** A failure, and whether the form shows each part of it at a field. */
export type Marked<T> = T & { isMarked: boolean };

type ServerFailure = { code: string; issues?: { path: string }[] | undefined };

/**
 * What a failed request says about the fields of a form, in the user's language.
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
