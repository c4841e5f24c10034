import { z } from 'zod';
import { RULES_MAX, TAG_MAX_CHARACTERS, TAGS_MAX } from '../../../../shared/bounds.ts';
import { countryOf } from '../../../../shared/countries.ts';
import { type FieldsWith, PLAIN_FIELDS } from '../../../../shared/links/plain-fields.ts';
import type { ImportField } from '../../../../shared/links/transfer.ts';
import { readTime } from './cells.ts';
import type { DraftRule, LinkDraft } from './field-values.ts';

const conditionSchema = z.object({
  type: z.string(),
  matchKey: z.string().nullish(),
  matchValue: z.string().nullish(),
});

/** `redirectRules` of Shlink's `GET /rest/v3/short-urls/{shortCode}/redirect-rules`. */
const shlinkRules = z.array(
  z.object({
    longUrl: z.string(),
    priority: z.number().nullish(),
    conditions: z.array(conditionSchema),
  }),
);

/** Dub's and Short.io's tests and countries. */
const geoTargets = z.record(z.string(), z.string());
const testVariants = z.array(z.object({ url: z.string(), percentage: z.number() }));

type Targeting = {
  /** Undefined if the file has none, or if the schema of links says what is wrong with them. */
  rules?: DraftRule[];
  card?: LinkDraft['card'];
  notes: string[];
  problems: { field: string; message: string }[];
};

type Row = {
  values: ReadonlyMap<string, unknown>;
  fields: ReadonlyMap<string, ImportField>;
  originalUrl: unknown;
  texts: Pick<LinkDraft, 'title' | 'description'>;
};

/** Destinations by device, country and share, and the link preview, as services other than Curt write them. */
export function readTargeting({ values, fields, originalUrl, texts }: Row): Targeting {
  const rules: DraftRule[] = [];
  const notes: string[] = [];
  const problems: Targeting['problems'] = [];
  const givenBy = (column: string) =>
    fields.has(column) ? (values.get(column) ?? undefined) : undefined;
  const read = <T>(column: string, schema: z.ZodType<T>): T | undefined => {
    const value = givenBy(column);
    if (value === undefined || value === '') return undefined;
    const result = schema.safeParse(value);
    if (!result.success)
      problems.push({ field: column, message: 'Is not as the service writes it.' });
    return result.data;
  };
  for (const [column, field] of fields) {
    const system = field === 'iosUrl' ? 'iOS' : field === 'androidUrl' ? 'Android' : undefined;
    const url = system && read(column, z.string());
    if (system && url) rules.push({ system, originalUrl: url });
  }
  for (const [country, url] of Object.entries(read('geo', geoTargets) ?? {})) {
    rules.push({ country: countryOf(country) ?? country.toUpperCase(), originalUrl: url });
  }
  const until = readTime(givenBy('testCompletedAt') ?? '', null);
  if ('value' in until && until.value !== undefined) {
    for (const variant of read('testVariants', testVariants) ?? []) {
      // The link's own target gets the rest.
      if (variant.url === originalUrl) continue;
      const share = Math.round(variant.percentage);
      rules.push({ share, until: new Date(until.value).toISOString(), originalUrl: variant.url });
    }
  }
  const splitUrl = read('splitURL', z.string());
  const splitPercent = read('splitPercent', z.coerce.number());
  if (splitUrl && splitPercent) rules.push({ share: splitPercent, originalUrl: splitUrl });
  const ofShlink = read('redirectRules', shlinkRules);
  if (ofShlink) {
    const converted = toRules(ofShlink);
    rules.push(...converted.rules);
    notes.push(...converted.notes);
  } else if (givenBy('hasRedirectRules') === true) {
    notes.push('The file does not have the redirect rules of the link.');
  }
  return {
    ...(rules.length > 0 && { rules: fitRules(rules, notes) }),
    ...(givenBy('proxy') === true && { card: toCard(texts, givenBy('image')) }),
    notes,
    problems,
  };
}

/** What Dub shows in previews of links that are told to. */
function toCard({ title, description }: Row['texts'], image: unknown): LinkDraft['card'] {
  const card = {
    ...(title && { title }),
    ...(description && { description }),
    // Uploaded pictures have a URL, too. Others are in the link itself.
    ...(typeof image === 'string' && image.startsWith('http') && { imageUrl: image }),
  };
  return Object.keys(card).length > 0 ? card : null;
}

type Conditions = Omit<DraftRule, 'originalUrl'>;

const DEVICES = new Map<string, Conditions[]>([
  ['android', [{ system: 'Android' }]],
  ['ios', [{ system: 'iOS' }]],
  ['mobile', [{ system: 'Android' }, { system: 'iOS' }]],
  ['windows', [{ system: 'Windows' }]],
  ['macos', [{ system: 'macOS' }]],
  ['linux', [{ system: 'Linux' }]],
  ['chromeos', [{ system: 'Chrome OS' }]],
  ['desktop', [{ device: 'computer' }]],
]);

/** A rule with a condition that Curt does not have would hold for too many visits, so it is left out. */
function toRules(rules: z.output<typeof shlinkRules>) {
  const notes = new Set<string>();
  const converted = rules
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    // Without conditions, Shlink never uses it.
    .filter(({ conditions }) => conditions.length > 0)
    .flatMap(({ longUrl, conditions }) => {
      let alternatives: Conditions[] = [{}];
      for (const condition of conditions) {
        const more = toAlternatives(condition);
        alternatives = alternatives.flatMap((one) => more.flatMap((other) => join(one, other)));
        if (alternatives.length > 0) continue;
        const reason = more.length > 0 ? 'twice the condition' : 'the condition';
        notes.add(`A redirect rule is left out: Curt cannot have ${reason} "${condition.type}".`);
        return [];
      }
      return alternatives.map((each): DraftRule => ({ ...each, originalUrl: longUrl }));
    });
  return { rules: converted, notes: [...notes] };
}

function join(one: Conditions, other: Conditions): Conditions[] {
  const isDouble = Object.keys(other).some((name) => name in one);
  return isDouble ? [] : [{ ...one, ...other }];
}

/** Any of them must hold. None: Curt has no such condition. */
function toAlternatives({ type, ...match }: z.output<typeof conditionSchema>): Conditions[] {
  const value = match.matchValue ?? '';
  const name = match.matchKey ?? '';
  switch (type) {
    case 'device':
      return DEVICES.get(value.toLowerCase()) ?? [];
    case 'language':
      return [{ language: value.replace('_', '-') }];
    case 'query-param':
      return [{ query: { name, value } }];
    case 'valueless-query-param':
      return [{ query: { name, value: '' } }];
    case 'any-value-query-param':
      return [{ query: { name } }];
    case 'geolocation-country-code':
      return [{ country: countryOf(value) ?? value.toUpperCase() }];
    case 'before-date':
    case 'after-date': {
      const read = readTime(value, null);
      const time = 'value' in read ? read.value : undefined;
      if (time === undefined) return [];
      return [{ [type === 'before-date' ? 'until' : 'from']: new Date(time).toISOString() }];
    }
    default:
      return [];
  }
}

type LineField = FieldsWith<{ control: 'line' }>;
type TextField = LineField | FieldsWith<{ control: 'text' }>;
type Texts = { [K in TextField]?: string | null | undefined } & {
  tags?: string[] | null | undefined;
};

const NAMES: { [K in TextField]: string } = {
  label: 'private title',
  title: 'title',
  description: 'description',
};
const LINES = (Object.keys(NAMES) as TextField[]).filter(
  (name): name is LineField => PLAIN_FIELDS[name].control === 'line',
);

/**
 * Fits what other services allow into Curt's limits. A link is worth more than the end of its title,
 * so it is not skipped, and the report says what was changed.
 */
export function fitTexts({ tags, description, ...lines }: Texts) {
  const notes = new Set<string>();
  const fit = (name: string, text: string, max: number) => {
    const characters = [...text.toWellFormed()];
    if (characters.length <= max) return characters.join('');
    notes.add(`The ${name} is cut to ${max} characters.`);
    return characters.slice(0, max).join('');
  };
  const fitField = (name: TextField, text: string) =>
    fit(NAMES[name], text, PLAIN_FIELDS[name].maxCharacters);
  const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim();
  const names = (tags ?? []).map(oneLine).filter((tag) => tag !== '');
  if (names.length > TAGS_MAX) notes.add(`Only the first ${TAGS_MAX} tags are kept.`);
  const fitted = {
    ...Object.fromEntries(LINES.map((name) => [name, fitField(name, oneLine(lines[name] ?? ''))])),
    description:
      description == null || description.trim() === ''
        ? null
        : fitField('description', description.replace(/[^\P{Cc}\r\n]/gu, ' ')),
    tags: names.slice(0, TAGS_MAX).map((tag) => fit('tag', tag, TAG_MAX_CHARACTERS).trim()),
  };
  return { ...fitted, notes: [...notes] };
}

/** Keeps as many rules as Curt allows, the first ones. */
export function fitRules(rules: DraftRule[], notes: string[]): DraftRule[] {
  if (rules.length > RULES_MAX) notes.push(`Only the first ${RULES_MAX} rules are kept.`);
  return rules.slice(0, RULES_MAX);
}
