import { t } from '../../../i18n/translate.ts';
import { ALIAS_PATTERN } from '../../../limits.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import { aliasOf, hostOf, plainValuesOf, type ShownLink } from '../../../links/shown-link.ts';
import { readTypedUrl } from '../../../links/url-in-text.ts';
import {
  changedDestinations,
  type DestinationInputs,
  type DestinationIssues,
  destinationFieldOf,
  destinationIssues,
  EMPTY_DESTINATIONS,
  toDestinationInputs,
} from '../../link-form/destination-inputs.ts';
import {
  changedFields,
  EMPTY_INPUTS,
  type FieldInputs,
  inputIssues,
  plainFieldOf,
  toInputs,
} from '../../link-form/field-inputs.ts';
import { fromLocalTime, isLocalTime, toLocalTime } from '../../link-form/local-time.ts';
import { VISIT_LIMIT } from '../../link-form/to-request.ts';

/** The values of the form, as its controls have them. */
export type LinkForm = FieldInputs &
  DestinationInputs & {
    originalUrl: string;
    alias: string;
    /** A host. */
    domain: string;
    /** The value of `<input type="datetime-local">`: local time without an offset, or empty for never. */
    expiry: string;
    /** Empty to leave the password as it is. */
    password: string;
    removesPassword: boolean;
    /** Empty for no limit. */
    maxVisits: string;
  };
export type FormIssues = { [K in keyof LinkForm]?: string } & DestinationIssues;

/** The state of a form that is not open. */
export const EMPTY_FORM: LinkForm = {
  originalUrl: '',
  alias: '',
  domain: '',
  expiry: '',
  password: '',
  removesPassword: false,
  maxVisits: '',
  ...EMPTY_INPUTS,
  ...EMPTY_DESTINATIONS,
};

export function toForm(link: ShownLink): LinkForm {
  const { serverState } = link;
  return {
    ...EMPTY_FORM,
    originalUrl: link.originalUrl,
    alias: aliasOf(link),
    domain: hostOf(link),
    expiry: link.expiresAt ? toLocalTime(link.expiresAt) : '',
    maxVisits: String(serverState?.maxVisits ?? ''),
    ...toInputs(plainValuesOf(link)),
    ...toDestinationInputs(link),
  };
}

/** What the form changes, compared with how it was filled in. */
export function toChanges(form: LinkForm, before: LinkForm): EditRequest {
  const changes: EditRequest = {
    ...changedFields(form, before),
    ...changedDestinations(form, before),
  };
  const isChanged = (name: keyof LinkForm) =>
    JSON.stringify(form[name]) !== JSON.stringify(before[name]);
  if (isChanged('originalUrl')) changes.originalUrl = readTypedUrl(form.originalUrl);
  if (isChanged('alias')) changes.customAlias = form.alias.trim();
  if (isChanged('domain')) changes.domain = form.domain;
  if (isChanged('expiry')) {
    changes.expiresAt = form.expiry ? fromLocalTime(form.expiry) : null;
  }
  if (form.removesPassword) changes.password = null;
  else if (form.password) changes.password = form.password;
  if (isChanged('maxVisits')) changes.maxVisits = form.maxVisits ? Number(form.maxVisits) : null;
  return changes;
}

/** What is wrong with the form, as far as no server is needed to see it. */
export function checkForm(form: LinkForm): FormIssues {
  const { originalUrl, alias, expiry, maxVisits } = form;
  const isVisitsInvalid = maxVisits !== '' && !VISIT_LIMIT.test(maxVisits);
  return {
    ...(originalUrl.trim() === '' && { originalUrl: t('field_target_missing') }),
    ...(!ALIAS_PATTERN.test(alias.trim()) && { alias: t('field_alias_invalid') }),
    ...(expiry !== '' && !isLocalTime(expiry) && { expiry: t('field_expiry_missing') }),
    ...(isVisitsInvalid && { maxVisits: t('field_max_visits_invalid') }),
    ...inputIssues(form),
    ...destinationIssues(form),
  };
}

const FIELD_OF_PATH = new Map(
  Object.entries<keyof LinkForm>({
    originalUrl: 'originalUrl',
    customAlias: 'alias',
    domain: 'alias',
    expiresAt: 'expiry',
    password: 'password',
    maxVisits: 'maxVisits',
  }),
);

/** The form's field for a name of the API. */
export function fieldOf(path: string): keyof FormIssues | undefined {
  return plainFieldOf(path) ?? destinationFieldOf(path) ?? FIELD_OF_PATH.get(path);
}
