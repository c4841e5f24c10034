import { t } from '../../../../shared/i18n/translate.ts';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { aliasOf, hostOf, plainValuesOf } from '../../../../shared/links/shown-link.ts';
import { readTypedUrl } from '../../../../shared/links/url-in-text.ts';
import {
  changedDestinations,
  destinationIssues,
  toDestinationInputs,
} from '../../../../shared/ui/link-form/destination-inputs.ts';
import {
  changedFields,
  inputIssues,
  toInputs,
} from '../../../../shared/ui/link-form/field-inputs.ts';
import { toLocalTime } from '../../../../shared/ui/link-form/local-time.ts';
import { fieldsFor, parseOwnFields } from '../../../../shared/ui/link-form/to-request.ts';
import type { PopupFields } from '../../../links/form-fields.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type { PopupIssues } from '../state/view.ts';

const EXPIRY_FIELDS = ['expiryKind', 'expiryDate', 'expiryAmount', 'expiryUnit'] as const;

/** The form of a new link, with the page's title filled in. */
export function newLinkFields(pageTitle: string): PopupFields {
  return { ...fieldsFor(pageTitle), originalUrl: '', removesPassword: false };
}

/** The form of an existing link. */
export function linkFields(link: LinkSummary): PopupFields {
  return {
    ...newLinkFields(''),
    ...toInputs(plainValuesOf(link)),
    ...toDestinationInputs(link),
    originalUrl: link.originalUrl,
    alias: aliasOf(link),
    domain: hostOf(link),
    maxVisits: String(link.serverState?.maxVisits ?? ''),
    expiryKind: link.expiresAt ? 'custom' : 'never',
    expiryDate: link.expiresAt ? toLocalTime(link.expiresAt) : '',
  };
}

/** What to send: only what differs from the link. */
export function toChanges(
  link: LinkSummary,
  changed: Partial<PopupFields>,
  nowMs: number,
): { ok: true; changes: EditRequest } | { ok: false; issues: PopupIssues } {
  const before = linkFields(link);
  const fields = { ...before, ...changed };
  const differs = (name: keyof PopupFields) => fields[name] !== before[name];
  const isExpiryChanged = EXPIRY_FIELDS.some(differs);
  // An expiry that stays is not checked again: it may have passed.
  const checked = isExpiryChanged ? fields : { ...fields, expiryKind: 'never' as const };
  const parsed = parseOwnFields(checked, nowMs);
  const issues: PopupIssues = {
    ...parsed.issues,
    ...inputIssues(fields),
    ...destinationIssues(fields),
  };
  if (fields.alias.trim() === '') issues.alias = t('field_alias_invalid');
  if (fields.originalUrl.trim() === '') issues.originalUrl = t('field_target_missing');
  if (Object.keys(issues).length > 0) return { ok: false, issues };
  const { customAlias, domain, password, maxVisits = null, ...expiry } = parsed.request;
  return {
    ok: true,
    changes: {
      ...(differs('originalUrl') && { originalUrl: readTypedUrl(fields.originalUrl) }),
      ...(customAlias !== before.alias && { customAlias }),
      ...(domain !== before.domain && { domain }),
      ...changedFields(fields, before),
      ...changedDestinations(fields, before),
      ...(password && { password }),
      ...(fields.removesPassword && { password: null }),
      ...(differs('maxVisits') && { maxVisits }),
      ...(isExpiryChanged && (fields.expiryKind === 'never' ? { expiresAt: null } : expiry)),
    },
  };
}
