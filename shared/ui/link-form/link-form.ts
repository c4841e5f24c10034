import {
  ALIAS_PATTERN,
  CUSTOM_ALIAS_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  LABEL_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
} from '../../bounds.ts';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { Card } from '../../links/destinations.ts';
import type { EditRequest } from '../../links/edit-request.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import {
  definitionOf,
  isPlainField,
  mapFields,
  PLAIN_NAMES,
  type PlainField,
  type PlainValues,
} from '../../links/plain-fields.ts';
import { fitLine, fitText } from '../../links/truncate.ts';
import { readTypedUrl } from '../../links/url-in-text.ts';
import { trimText } from '../../text.ts';
import { fromLocalTime, isLocalTime, toExactLocalTime, toLocalTime } from './local-time.ts';
import { type RuleInput, type RuleIssues, ruleIssues, toRule, toRuleInput } from './rule-inputs.ts';

export const EXPIRY_KINDS = ['never', '1h', '1d', '7d', '30d', 'custom'] as const;
export const EXPIRY_UNITS = ['minutes', 'hours', 'days'] as const;
export type ExpiryKind = (typeof EXPIRY_KINDS)[number];
type ExpiryUnit = (typeof EXPIRY_UNITS)[number];

/** Durations to choose with one click. */
export const EXPIRY_PRESETS = {
  '1h': { amount: 1, unit: 'hours' },
  '1d': { amount: 1, unit: 'days' },
  '7d': { amount: 7, unit: 'days' },
  '30d': { amount: 30, unit: 'days' },
} as const satisfies { [K in ExpiryKind]?: { amount: number; unit: ExpiryUnit } };

/** Of a duration in these units, the field of a request. */
export const EXPIRES_IN = {
  minutes: 'expiresInMinutes',
  hours: 'expiresInHours',
  days: 'expiresInDays',
} as const;

/** The values of the plain fields as controls have them: numbers are text. */
type PlainInputs = {
  [K in PlainField]: PlainValues[K] extends boolean | string[] ? PlainValues[K] : string;
};

/**
 * A link as the controls of its form have it. The fields have the names of the API. Times are values of
 * `<input type="datetime-local">`: local, without an offset. Whatever is empty is not set.
 */
export type LinkForm = PlainInputs & {
  originalUrl: string;
  /** The alias, also one that was generated. */
  customAlias: string;
  /** A host; empty for that of links that name none. */
  domain: string;
  startsAt: string;
  expiryKind: ExpiryKind;
  /** Of the custom expiry, which has a time or a duration. */
  expiresAt: string;
  expiryAmount: string;
  expiryUnit: ExpiryUnit;
  maxVisits: string;
  goneUrl: string;
  /** Empty to leave the password as it is. */
  password: string;
  removesPassword: boolean;
  cardTitle: string;
  cardDescription: string;
  cardImageUrl: string;
  rules: RuleInput[];
};

/** Error messages by field, in the user's language. */
export type FormIssues = { [K in keyof LinkForm]?: string } & RuleIssues;

/** The form of a link that does not exist yet. A new link is a change of it. */
export const EMPTY_FORM: LinkForm = {
  originalUrl: '',
  customAlias: '',
  domain: '',
  ...mapFields<PlainInputs>((_, { control }) =>
    control === 'switch' ? false : control === 'tags' ? [] : '',
  ),
  startsAt: '',
  expiryKind: 'never',
  expiresAt: '',
  expiryAmount: '',
  expiryUnit: 'days',
  maxVisits: '',
  goneUrl: '',
  password: '',
  removesPassword: false,
  cardTitle: '',
  cardDescription: '',
  cardImageUrl: '',
  rules: [],
};

/** Creates the form of a new link, with the title of its page as the private one. */
export function newForm({ url = '', title = '' }: { url?: string; title?: string }): LinkForm {
  return { ...EMPTY_FORM, originalUrl: url, label: fitLine(title, LABEL_MAX_CHARACTERS) };
}

export function toForm(link: LinkRecord): LinkForm {
  const { expiresAt, startsAt, card } = link;
  return {
    ...EMPTY_FORM,
    originalUrl: link.originalUrl,
    customAlias: link.alias,
    domain: link.domain,
    ...mapFields<PlainInputs>((name, { control, default: none }) => {
      const value = link[name];
      if (control === 'switch' || control === 'tags') return value;
      return value === none ? '' : String(value ?? '');
    }),
    startsAt: startsAt ? toExactLocalTime(startsAt) : '',
    expiryKind: expiresAt ? 'custom' : 'never',
    expiresAt: expiresAt ? toLocalTime(expiresAt) : '',
    maxVisits: String(link.maxVisits ?? ''),
    goneUrl: link.goneUrl ?? '',
    cardTitle: card?.title ?? '',
    cardDescription: card?.description ?? '',
    cardImageUrl: card?.imageUrl ?? '',
    rules: link.rules.map(toRuleInput),
  };
}

export type Parsed = { ok: true; changes: EditRequest } | { ok: false; issues: FormIssues };

/**
 * Returns what the form changes, compared with how it was before, or everything that is wrong as far as no server
 * is needed to see it. What stays is neither sent nor checked again: an expiry may have passed. Compared with
 * `EMPTY_FORM`, the changes are the request for a new link.
 */
export function toChanges(form: LinkForm, before: LinkForm, nowMs: number): Parsed {
  const expiry = readExpiry(form, nowMs);
  const isExpiryChanged = differs(expiry, readExpiry(before, nowMs));
  const issues = {
    ...issuesOf(form, before),
    ...(isExpiryChanged && expiry.issue && { [expiryField(form)]: expiry.issue }),
  };
  if (Object.keys(issues).length > 0) return { ok: false, issues };
  const previous: Record<string, unknown> = toValues(before);
  const changed = Object.entries(toValues(form)).filter(([name, value]) =>
    differs(value, previous[name]),
  );
  return {
    ok: true,
    changes: {
      ...Object.fromEntries(changed),
      ...(isExpiryChanged && expiry.values),
      ...(form.password && { password: form.password }),
      ...(form.removesPassword && { password: null }),
    },
  };
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** The values of the API for all fields but expiry and password. */
function toValues(form: LinkForm) {
  return {
    originalUrl: readTypedUrl(form.originalUrl),
    customAlias: trimText(form.customAlias),
    domain: form.domain,
    ...mapFields<PlainValues>((name) => toPlainValue(name, form[name])),
    startsAt: form.startsAt ? fromLocalTime(form.startsAt) : null,
    maxVisits: form.maxVisits.trim() ? Number(form.maxVisits) : null,
    goneUrl: readTypedUrl(form.goneUrl) || null,
    card: toCard(form),
    rules: form.rules.map(toRule),
  };
}

/** Returns the card of link previews that the form describes; null if it has none. */
export function toCard({ cardTitle, cardDescription, cardImageUrl }: LinkForm): Card | null {
  const title = fitLine(cardTitle, TITLE_MAX_CHARACTERS);
  const description = fitText(cardDescription, DESCRIPTION_MAX_CHARACTERS);
  const imageUrl = readTypedUrl(cardImageUrl);
  const card: Card = {
    ...(title && { title }),
    ...(description && { description }),
    ...(imageUrl && { imageUrl }),
  };
  return Object.keys(card).length > 0 ? card : null;
}

function toPlainValue(name: PlainField, input: LinkForm[PlainField]): PlainValues[PlainField] {
  const definition = definitionOf(name);
  if (typeof input !== 'string') return input;
  switch (definition.control) {
    case 'number':
      // The table of fields says whether that is null.
      return (input.trim() === '' ? definition.default : Number(input)) as PlainValues[PlainField];
    case 'line':
      return fitLine(input, definition.maxCharacters) || definition.default;
    case 'text':
      return fitText(input, definition.maxCharacters) || definition.default;
    default:
      return trimText(input) || null;
  }
}

type Expiry = { values?: EditRequest; issue?: string };

function readExpiry(form: LinkForm, nowMs: number): Expiry {
  const { expiryKind, expiresAt, expiryAmount, expiryUnit } = form;
  if (expiryKind === 'never') return { values: { expiresAt: null } };
  if (expiryKind !== 'custom') {
    const { amount, unit } = EXPIRY_PRESETS[expiryKind];
    return { values: { [EXPIRES_IN[unit]]: amount } };
  }
  if (expiresAt) {
    if (!isLocalTime(expiresAt)) return { issue: t('field_expiry_missing') };
    const values = { expiresAt: fromLocalTime(expiresAt) };
    if (Date.parse(values.expiresAt) > nowMs) return { values };
    return { values, issue: t('expires_in_past_text') };
  }
  if (!expiryAmount.trim()) return { issue: t('field_expiry_missing') };
  const amount = Number(expiryAmount);
  if (!Number.isFinite(amount)) return { issue: t('field_number_invalid') };
  if (amount <= 0) return { issue: t('expires_in_past_text') };
  return { values: { [EXPIRES_IN[expiryUnit]]: amount } };
}

/** The field that sets a custom expiry: the form never has both a time and a duration. */
function expiryField({ expiresAt }: LinkForm): 'expiresAt' | 'expiryAmount' {
  return expiresAt ? 'expiresAt' : 'expiryAmount';
}

/** A whole number of 1 or more. */
const VISIT_LIMIT = /^[1-9]\d{0,14}$/;

function issuesOf(form: LinkForm, before: LinkForm): FormIssues {
  const { originalUrl, startsAt, maxVisits } = form;
  const alias = trimText(form.customAlias);
  const isAliasInvalid = alias === '' ? before.customAlias !== '' : !ALIAS_PATTERN.test(alias);
  const isNew = before.originalUrl === '';
  return {
    ...(originalUrl.trim() === '' && {
      originalUrl: t(isNew ? 'url_missing' : 'field_target_missing'),
    }),
    ...(isAliasInvalid && {
      customAlias: t('field_alias_invalid', String(CUSTOM_ALIAS_MAX_CHARACTERS)),
    }),
    ...(startsAt !== '' && !isLocalTime(startsAt) && { startsAt: t('rule_value_missing') }),
    ...(maxVisits.trim() !== '' &&
      !VISIT_LIMIT.test(maxVisits.trim()) && { maxVisits: t('field_max_visits_invalid') }),
    ...Object.fromEntries(PLAIN_NAMES.flatMap((name) => plainIssue(name, form[name]))),
    ...ruleIssues(form.rules),
  };
}

function plainIssue(name: PlainField, input: LinkForm[PlainField]): [string, string][] {
  const definition = definitionOf(name);
  const value = toPlainValue(name, input);
  if (definition.control === 'number') {
    const { min, max, isWhole, invalid } = definition;
    const number = Number(value);
    const isInRange = number >= min && number <= max && (!isWhole || Number.isInteger(number));
    if (value !== definition.default && !isInRange)
      return [[name, t(invalid, formatNumber(min), formatNumber(max))]];
  }
  const isCode = definition.control === 'code' && typeof value === 'string';
  return isCode && !definition.pattern.test(value) ? [[name, t(definition.invalid)]] : [];
}

const CARD_FIELDS = new Map<string, keyof FormIssues>([
  ['card', 'cardTitle'],
  ['card.title', 'cardTitle'],
  ['card.description', 'cardDescription'],
  ['card.imageUrl', 'cardImageUrl'],
]);

/** Returns the field that shows what the server rejects at a path of the API; undefined if none does. */
export function fieldOf(path: string, form: LinkForm): keyof FormIssues | undefined {
  const [name = '', ...rest] = path.split('.');
  if (name.startsWith('expires')) {
    return form.expiryKind === 'custom' ? expiryField(form) : undefined;
  }
  if (name === 'domain') return 'customAlias';
  if (name === 'card') return CARD_FIELDS.get(path);
  // A rule shows the name and the value of a parameter in one place.
  if (name === 'rules') return rest.length > 0 ? `rules.${rest.slice(0, 2).join('.')}` : undefined;
  // A switch shows no issue.
  if (isPlainField(name) && definitionOf(name).control === 'switch') return undefined;
  return name in EMPTY_FORM ? (name as keyof LinkForm) : undefined;
}
