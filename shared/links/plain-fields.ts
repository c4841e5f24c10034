import {
  CONTAINER_PATTERN,
  DESCRIPTION_MAX_CHARACTERS,
  LABEL_MAX_CHARACTERS,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../bounds.ts';
import type { MessageKey, PlainKey } from '../i18n/translate.ts';

/** The parts of the form for a link in which plain fields are. */
export type FormPart = 'basics' | 'when' | 'protection' | 'campaigns';

/** Keys of texts with placeholders. */
type CountingKey = Exclude<MessageKey, PlainKey>;

/** How a form shows and checks a value that is one text or number. */
type ValueControl = (
  | { control: 'line' | 'text'; default: '' | null; maxCharacters: number }
  | { control: 'code'; default: null; pattern: RegExp; hint: PlainKey; invalid: PlainKey }
  | {
      control: 'number';
      /** Null if a link can be without it. */
      default: number | null;
      min: number;
      max: number;
      isWhole: boolean;
      /** @default a plain number */
      unit?: 'seconds';
      /** Both texts name the smallest and the greatest value. */
      hint: CountingKey;
      invalid: CountingKey;
    }
) & {
  /**
   * Whether lists, bulk changes, exports and commands can ask for exactly its value. Then it also has a row in
   * `list-query.ts`. @default false
   */
  isFilter?: true;
};

type OtherControl = (
  | { control: 'switch'; default: false; hint: PlainKey }
  | { control: 'tags'; default: readonly [] }
) & { isFilter?: never };

export type FieldDefinition = (ValueControl | OtherControl) & {
  label: PlainKey;
  /** Where the form has it. */
  part: FormPart;
  /** Its option of the command line, and the one that resets it to the default. */
  cli: readonly [flags: string, help: string, resetFlags?: string, resetHelp?: string];
  /** Whether a search looks in it, and how texts about the search name it. @default it is not searched */
  searchedAs?: string;
  /** When `reuse` compares it: only if the request has it, as visitors need not see it, or never. @default always */
  comparedForReuse?: 'if_sent' | 'never';
  /** Whether administrators see it. The account always does. @default false */
  administratorsSeeIt?: true;
};

/**
 * The plain fields of a link, by their names in the API: they are stored, shown and edited as they are.
 * Schemas, files, forms, the command line and what administrators see follow from this table. A field with
 * rules of its own, such as the alias or the expiry, is not in it.
 *
 * The default, which is always empty or 0, is what a link has without the field. If it is null, an edit can
 * remove the value with null.
 */
export const PLAIN_FIELDS = {
  title: {
    control: 'line',
    default: '',
    maxCharacters: TITLE_MAX_CHARACTERS,
    label: 'field_title',
    part: 'basics',
    cli: ['--title <text>', 'title of the link'],
    searchedAs: 'the title',
    comparedForReuse: 'if_sent',
    administratorsSeeIt: true,
  },
  /** What the owner calls the link. Neither visitors nor administrators see it. */
  label: {
    control: 'line',
    default: '',
    maxCharacters: LABEL_MAX_CHARACTERS,
    label: 'field_label',
    part: 'basics',
    cli: ['--label <text>', 'private title, which only you see'],
    searchedAs: 'the private title',
    comparedForReuse: 'never',
  },
  tags: {
    control: 'tags',
    default: [],
    label: 'field_tags',
    part: 'basics',
    cli: ['--tag <tag>', 'a tag; repeat it for more', '--no-tags', 'remove all tags'],
    searchedAs: 'a tag',
    comparedForReuse: 'if_sent',
    administratorsSeeIt: true,
  },
  waitTimer: {
    control: 'number',
    default: 0,
    min: 0,
    max: WAIT_TIMER_MAX_SECONDS,
    isWhole: false,
    unit: 'seconds',
    label: 'field_wait',
    hint: 'hint_wait',
    invalid: 'field_wait_invalid',
    part: 'protection',
    cli: ['--wait <seconds>', 'seconds that visitors wait on the preview page'],
    administratorsSeeIt: true,
  },
  forwardQuery: {
    control: 'switch',
    default: false,
    label: 'field_forward_query',
    hint: 'hint_forward_query',
    part: 'campaigns',
    cli: [
      '--forward-query',
      'keep the ?parameters of the short link',
      '--no-forward-query',
      'do not keep the ?parameters of the short link',
    ],
    administratorsSeeIt: true,
  },
  hideUntilStart: {
    control: 'switch',
    default: false,
    label: 'field_hide_until_start',
    hint: 'hint_hide_until_start',
    part: 'when',
    cli: [
      '--hide-until-start',
      'answer as if there were no link until it starts',
      '--no-hide-until-start',
      'say from when the link works',
    ],
    administratorsSeeIt: true,
  },
  publicStats: {
    control: 'switch',
    default: false,
    label: 'field_public_stats',
    hint: 'hint_public_stats',
    part: 'campaigns',
    cli: [
      '--public-stats',
      'show the statistics to everybody, at the short link with /stats',
      '--no-public-stats',
      'show the statistics to nobody else',
    ],
    comparedForReuse: 'if_sent',
    administratorsSeeIt: true,
  },
  description: {
    control: 'text',
    default: null,
    maxCharacters: DESCRIPTION_MAX_CHARACTERS,
    label: 'field_description',
    part: 'campaigns',
    cli: [
      '--description <text>',
      'description of the link',
      '--no-description',
      'remove the description',
    ],
    comparedForReuse: 'if_sent',
    administratorsSeeIt: true,
  },
  customGtmId: {
    control: 'code',
    default: null,
    pattern: CONTAINER_PATTERN,
    label: 'field_container',
    hint: 'hint_container',
    invalid: 'field_container_invalid',
    part: 'campaigns',
    cli: [
      '--gtm <id>',
      'Tag Manager container on the preview page',
      '--no-gtm',
      'remove the container',
    ],
    administratorsSeeIt: true,
  },
} as const satisfies Record<string, FieldDefinition>;

type Definitions = typeof PLAIN_FIELDS;
export type PlainField = keyof Definitions;

/** The fields whose definition has these properties. */
export type FieldsWith<Part> = {
  [K in PlainField]: Definitions[K] extends Part ? K : never;
}[PlainField];

type ValueOf<D extends FieldDefinition> = D extends { control: 'switch' }
  ? boolean
  : D extends { control: 'tags' }
    ? string[]
    : D extends { control: 'number' }
      ? number | (D extends { default: null } ? null : never)
      : D extends { default: null }
        ? string | null
        : string;

/** The values of all plain fields, as records have them. */
export type PlainValues = { [K in PlainField]: ValueOf<Definitions[K]> };

export const PLAIN_NAMES = Object.keys(PLAIN_FIELDS) as PlainField[];

export function isPlainField(name: string): name is PlainField {
  return PLAIN_NAMES.includes(name as PlainField);
}

/** Returns the definition of a field, whichever it is. */
export function definitionOf(name: PlainField): FieldDefinition {
  return PLAIN_FIELDS[name];
}

/** Whether it is the value of a link without the field, or without input in a form. */
export function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value;
}

/** Returns an object with a value for each plain field. The caller says of which types they are. */
export function mapFields<R extends { [K in PlainField]: unknown }>(
  toValue: (name: PlainField, definition: FieldDefinition) => unknown,
): R {
  return Object.fromEntries(
    PLAIN_NAMES.map((name) => [name, toValue(name, definitionOf(name))]),
  ) as R;
}

export type AdministratorsField = FieldsWith<{ administratorsSeeIt: true }>;
export const ADMINISTRATORS_FIELDS = PLAIN_NAMES.filter(
  (name) => definitionOf(name).administratorsSeeIt,
) as AdministratorsField[];

export type SearchedField = FieldsWith<{ searchedAs: string }>;
export const SEARCHED_FIELDS = PLAIN_NAMES.filter(
  (name) => definitionOf(name).searchedAs !== undefined,
) as SearchedField[];

export type FilterField = FieldsWith<{ isFilter: true }>;
export const FILTER_FIELDS = PLAIN_NAMES.filter(
  (name) => definitionOf(name).isFilter,
) as FilterField[];

/** What can be asked for exactly, by its name in the API and in the store. */
export type ExactField = 'originalUrl' | 'importId' | FilterField;
export const EXACT_FIELDS: ExactField[] = ['originalUrl', 'importId', ...FILTER_FIELDS];

/** Returns an object with a value for each of them. */
export const eachFilterField = <T>(toValue: (name: FilterField) => T) =>
  eachOf(FILTER_FIELDS, toValue);
export const eachExactField = <T>(toValue: (name: ExactField) => T) =>
  eachOf(EXACT_FIELDS, toValue);

function eachOf<K extends string, T>(names: K[], toValue: (name: K) => T): { [name in K]: T } {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as { [name in K]: T };
}

/** What a search looks in, as part of a sentence: "an alias, the destination, … or a tag". */
export const SEARCHED_TEXT = toSearchedText(SEARCHED_FIELDS);
export const ADMINISTRATORS_SEARCHED_TEXT = toSearchedText(
  SEARCHED_FIELDS.filter((name) => definitionOf(name).administratorsSeeIt),
);

function toSearchedText(fields: SearchedField[]): string {
  const searched = fields.map((name) => definitionOf(name).searchedAs);
  return ['an alias', 'the destination', ...searched].join(', ').replace(/, ([^,]*)$/, ' or $1');
}
