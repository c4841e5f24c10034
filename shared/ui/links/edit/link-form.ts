import { t } from '../../../i18n/translate.ts';
import { ALIAS_PATTERN, WAIT_TIMER_MAX_SECONDS } from '../../../limits.ts';
import type { EditRequest } from '../../../links/edit-request.ts';
import { aliasOf, type ShownLink } from '../../../links/shown-link.ts';
import { toLocalTime } from '../../link-form/local-time.ts';

/** The values of the form, as its controls have them. */
export type LinkForm = {
  originalUrl: string;
  alias: string;
  title: string;
  description: string;
  tags: string[];
  /** The value of `<input type="datetime-local">`: local time without an offset, or empty for never. */
  expiry: string;
  /** Empty to leave the password as it is. */
  password: string;
  removesPassword: boolean;
  waitSeconds: string;
  /** Empty for no limit. */
  maxVisits: string;
  forwardQuery: boolean;
};
export type FormIssues = { [K in keyof LinkForm]?: string };

/** Of a form that is not open. */
export const EMPTY_FORM: LinkForm = {
  originalUrl: '',
  alias: '',
  title: '',
  description: '',
  tags: [],
  expiry: '',
  password: '',
  removesPassword: false,
  waitSeconds: '0',
  maxVisits: '',
  forwardQuery: false,
};

export function toForm(link: ShownLink): LinkForm {
  const { managed } = link;
  return {
    ...EMPTY_FORM,
    originalUrl: link.originalUrl,
    alias: aliasOf(link),
    title: link.title,
    description: managed?.description ?? '',
    tags: managed?.tags ?? [],
    expiry: link.expiresAt ? toLocalTime(link.expiresAt) : '',
    waitSeconds: String(link.waitTimerSeconds),
    maxVisits: String(managed?.maxVisits ?? ''),
    forwardQuery: managed?.forwardQuery ?? false,
  };
}

/** What the form changes, compared with how it was filled in. */
export function toChanges(form: LinkForm, before: LinkForm): EditRequest {
  const changes: EditRequest = {};
  const isChanged = (name: keyof LinkForm) =>
    JSON.stringify(form[name]) !== JSON.stringify(before[name]);
  if (isChanged('originalUrl')) changes.originalUrl = form.originalUrl;
  if (isChanged('alias')) changes.customAlias = form.alias.trim();
  if (isChanged('title')) changes.title = form.title;
  if (isChanged('description')) changes.description = form.description || null;
  if (isChanged('tags')) changes.tags = form.tags;
  if (isChanged('expiry')) {
    changes.expiresAt = form.expiry ? new Date(form.expiry).toISOString() : null;
  }
  if (form.removesPassword) changes.password = null;
  else if (form.password) changes.password = form.password;
  if (isChanged('waitSeconds')) changes.waitTimer = Number(form.waitSeconds || 0);
  if (isChanged('maxVisits')) changes.maxVisits = form.maxVisits ? Number(form.maxVisits) : null;
  if (isChanged('forwardQuery')) changes.forwardQuery = form.forwardQuery;
  return changes;
}

/** What is wrong with the form, as far as no server is needed to see it. */
export function checkForm(form: LinkForm): FormIssues {
  const { originalUrl, alias, waitSeconds, maxVisits } = form;
  const wait = Number(waitSeconds || 0);
  const isVisitsInvalid = maxVisits !== '' && !/^[1-9]\d{0,14}$/.test(maxVisits);
  return {
    ...(originalUrl.trim() === '' && { originalUrl: t('field_target_missing') }),
    ...(!ALIAS_PATTERN.test(alias.trim()) && { alias: t('field_alias_invalid') }),
    ...(!(wait >= 0 && wait <= WAIT_TIMER_MAX_SECONDS) && {
      waitSeconds: t('field_wait_invalid', String(WAIT_TIMER_MAX_SECONDS)),
    }),
    ...(isVisitsInvalid && { maxVisits: t('field_max_visits_invalid') }),
  };
}

/** The form's fields by the names that the API uses. */
export const FIELD_OF_PATH = new Map(
  Object.entries<keyof LinkForm>({
    originalUrl: 'originalUrl',
    customAlias: 'alias',
    title: 'title',
    description: 'description',
    tags: 'tags',
    expiresAt: 'expiry',
    password: 'password',
    waitTimer: 'waitSeconds',
    maxVisits: 'maxVisits',
  }),
);
