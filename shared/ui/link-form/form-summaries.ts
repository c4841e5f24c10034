import { formatDate, formatDuration } from '../../i18n/format-time.ts';
import { formatCount, formatNumber } from '../../i18n/plural.ts';
import { formatTag, t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import { definitionOf, isEmpty, isPlainField, PLAIN_NAMES } from '../../links/plain-fields.ts';
import { CAMPAIGN_PARAMETERS, readParameter } from './campaign.ts';
import { EXPIRY_PRESETS, type ExpiryKind, type FormIssues, type LinkForm } from './link-form.ts';
import { fromLocalTime, isLocalTime } from './local-time.ts';

/** The parts of the form that are folded to a line. */
export type FoldedPart = 'when' | 'protection' | 'preview' | 'rules' | 'campaigns';

const PARTS = new Map<string, FoldedPart>([
  ...(['startsAt', 'expiresAt', 'expiryAmount', 'maxVisits', 'goneUrl'] as const).map(
    (name) => [name, 'when'] as const,
  ),
  ['password', 'protection'],
  ...(['cardTitle', 'cardDescription', 'cardImageUrl'] as const).map(
    (name) => [name, 'preview'] as const,
  ),
  ['rules', 'rules'],
]);

/** Whether one of the issues is about a field of this part, which must be in sight then. */
export function hasIssueIn(part: FoldedPart, issues: FormIssues): boolean {
  return Object.keys(issues).some((path) => {
    const [name = ''] = path.split('.');
    return (isPlainField(name) ? definitionOf(name).part : PARTS.get(name)) === part;
  });
}

const UNITS = { minutes: 'minute', hours: 'hour', days: 'day' } as const;

/** Returns what is set in a part of the form: "Expires Jan 31 · 100 visits". Empty if nothing is. */
export function summaryOf(part: FoldedPart, form: LinkForm, hasPassword: boolean): string {
  const texts = [...SUMMARIES[part](form, hasPassword), ...plainSummaries(part, form)];
  return texts.filter((text) => text !== '').join(' · ');
}

const SUMMARIES: { [K in FoldedPart]: (form: LinkForm, hasPassword: boolean) => string[] } = {
  when: (form) => [
    isLocalTime(form.startsAt) ? t('starts_on', formatDate(fromLocalTime(form.startsAt))) : '',
    expirySummary(form),
    limitSummary(form.maxVisits.trim()),
    hostIn(form.goneUrl),
  ],
  protection: ({ password, removesPassword }, hasPassword) => [
    password || (hasPassword && !removesPassword) ? t('has_password') : '',
  ],
  preview: ({ cardTitle, cardDescription, cardImageUrl }) => [
    cardTitle.trim() || cardDescription.trim() || hostIn(cardImageUrl),
  ],
  rules: ({ rules }) => [rules.length > 0 ? formatCount('rules_count', rules.length) : ''],
  campaigns: (form) => [
    CAMPAIGN_PARAMETERS.map(([name]) => readParameter(form.originalUrl, name))
      .filter((value) => value !== '')
      .join(' / '),
  ],
};

function plainSummaries(part: FoldedPart, form: LinkForm): string[] {
  return PLAIN_NAMES.filter((name) => definitionOf(name).part === part).map((name) => {
    const { control, label } = definitionOf(name);
    const value = form[name];
    if (isEmpty(value)) return '';
    if (control !== 'number') return t(label);
    const number = Number(value);
    if (name === 'waitTimer') return number > 0 ? t('waits', formatDuration(number)) : '';
    return t('label_of', t(label), formatNumber(number));
  });
}

function expirySummary(form: LinkForm): string {
  const { expiryKind, expiresAt, expiryAmount, expiryUnit } = form;
  if (expiryKind === 'never') return '';
  if (expiryKind !== 'custom') return t('expires_after', expiryLabel(expiryKind));
  if (isLocalTime(expiresAt)) return t('expires_on', formatDate(fromLocalTime(expiresAt)));
  const amount = Number(expiryAmount);
  return amount > 0 ? t('expires_after', formatUnit(amount, expiryUnit)) : '';
}

/** Returns a choice of the expiry. */
export function expiryLabel(kind: ExpiryKind): string {
  if (kind === 'never') return t('expiry_never');
  if (kind === 'custom') return t('expiry_custom');
  const { amount, unit } = EXPIRY_PRESETS[kind];
  return formatUnit(amount, unit);
}

/** Returns a duration in words: `7 days`. */
export function formatUnit(amount: number, unit: keyof typeof UNITS): string {
  const format = { style: 'unit', unit: UNITS[unit], unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(formatTag(), format).format(amount);
}

function limitSummary(maxVisits: string): string {
  const count = Number(maxVisits);
  if (!Number.isSafeInteger(count) || count < 1) return '';
  return formatCount('link_visits', count);
}

/** Of a URL as typed. */
function hostIn(url: string): string {
  return withoutProtocol(url.trim()).replace(/[/?#].*/, '');
}
