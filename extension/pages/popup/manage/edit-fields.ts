import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { aliasOf, plainValuesOf } from '../../../../shared/links/shown-link.ts';
import {
  changedFields,
  inputIssues,
  toInputs,
} from '../../../../shared/ui/link-form/field-inputs.ts';
import type { FormFields } from '../../../../shared/ui/link-form/form-fields.ts';
import { toLocalTime } from '../../../../shared/ui/link-form/local-time.ts';
import {
  type FieldIssues,
  fieldsFor,
  parseOwnFields,
} from '../../../../shared/ui/link-form/to-request.ts';
import type { LinkSummary } from '../../../links/link.ts';

/** What the user changed in the form of an existing link. */
export type EditFields = Partial<FormFields> & { removesPassword?: boolean };

const EXPIRY_FIELDS = ['expiryKind', 'expiryDate', 'expiryAmount', 'expiryUnit'] as const;

/** The form of a link, with what the user changed. */
export function editFieldsOf(link: LinkSummary, changed: EditFields = {}): FormFields {
  return {
    ...fieldsFor(''),
    ...toInputs(plainValuesOf(link)),
    alias: aliasOf(link),
    expiryKind: link.expiresAt ? 'custom' : 'never',
    expiryDate: link.expiresAt ? toLocalTime(link.expiresAt) : '',
    ...changed,
  };
}

/** What to send: only what differs from the link. */
export function toChanges(
  link: LinkSummary,
  changed: EditFields,
  nowMs: number,
): { ok: true; changes: EditRequest } | { ok: false; issues: FieldIssues } {
  const before = editFieldsOf(link);
  const fields = editFieldsOf(link, changed);
  const differs = (name: keyof FormFields) => fields[name] !== before[name];
  const isExpiryChanged = EXPIRY_FIELDS.some(differs);
  // An expiry that stays is not checked again: it may have passed.
  const checked = isExpiryChanged ? fields : { ...fields, expiryKind: 'never' as const };
  const parsed = parseOwnFields(checked, nowMs);
  const issues = { ...parsed.issues, ...inputIssues(fields) };
  if (fields.alias.trim() === '') issues.alias = t('field_alias_invalid');
  if (Object.keys(issues).length > 0) return { ok: false, issues };
  const { customAlias, password, maxVisits: _, ...expiry } = parsed.request;
  return {
    ok: true,
    changes: {
      ...(customAlias !== before.alias && { customAlias }),
      ...changedFields(fields, before),
      ...(password && { password }),
      ...(changed.removesPassword && { password: null }),
      ...(isExpiryChanged && (fields.expiryKind === 'never' ? { expiresAt: null } : expiry)),
    },
  };
}
