import { z } from 'zod';
import { CONTAINER_PATTERN, TAG_MAX_CHARACTERS, TAGS_MAX } from '../bounds.ts';
import { NO_CONTROL_BUT_LINE_BREAKS, NO_CONTROL_CHARACTERS } from '../schemas.ts';
import { foldTag, trimText } from '../text.ts';
import {
  ADMINISTRATORS_FIELDS,
  type AdministratorsField,
  type FieldDefinition,
  type FieldsWith,
  mapFields,
  PLAIN_FIELDS,
  type PlainField,
  type PlainValues,
} from './plain-fields.ts';

/** Counts code points: an emoji is one character, although a string has two code units for it. */
export const text = (min: number, max: number, value = z.string()) =>
  value
    .refine(
      (sent) => {
        const length = [...sent].length;
        return length >= min && length <= max;
      },
      `Must have ${min > 0 ? `${min} to ${max}` : `at most ${max}`} characters.`,
    )
    .refine((sent) => sent.isWellFormed(), 'Contains half a character (a lone surrogate).');

/** Text from people, who copy more than they mean. */
export const trimmed = z.string().overwrite(trimText);
/** A line of text, as long as the table of fields says. */
const line = (name: FieldsWith<{ control: 'line' }>, meaning: string) => {
  const { maxCharacters } = PLAIN_FIELDS[name];
  return text(0, maxCharacters, trimmed)
    .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.')
    .describe(`${meaning}: up to ${maxCharacters} characters.`);
};

/** A number in the range of the table of fields. @param base `z.coerce.number()` in a query */
export const numberIn = (
  { min, max, isWhole, unit }: FieldDefinition & { control: 'number' },
  base = z.number(),
) => {
  const message = `Must be ${isWhole ? 'a whole number from ' : ''}${min} to ${max}${unit ? ` ${unit}` : ''}.`;
  const inRange = base.min(min, message).max(max, message);
  return isWhole ? inRange.int(message) : inRange;
};
const number = (name: FieldsWith<{ control: 'number' }>, meaning: string) => {
  const definition: FieldDefinition & { control: 'number' } = PLAIN_FIELDS[name];
  const { min, max, default: none } = definition;
  const range = `${min} to ${max}`;
  const values = none === null ? range : `${range}, default ${none}`;
  return numberIn(definition).describe(`${meaning}: ${values}.`);
};

/** Trimmed, without those that look the same as an earlier one. */
const tagsSchema = z
  .array(
    z
      .string()
      .overwrite((tag) => trimText(tag).normalize('NFC'))
      .min(1, 'Must not be empty.')
      .refine(
        (tag) => [...tag].length <= TAG_MAX_CHARACTERS,
        `Must have at most ${TAG_MAX_CHARACTERS} characters.`,
      )
      .refine((tag) => tag.isWellFormed(), 'Contains half a character (a lone surrogate).')
      .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.'),
  )
  .max(TAGS_MAX, `Must be at most ${TAGS_MAX} tags.`)
  .transform((tags) => {
    const unique = new Map<string, string>();
    for (const tag of tags) if (!unique.has(foldTag(tag))) unique.set(foldTag(tag), tag);
    return [...unique.values()];
  });

/** Each plain field as clients send it. */
const SENT = {
  title: line('title', 'Title of the link, which visitors see'),
  label: line('label', 'Private title, which only the account sees'),
  tags: tagsSchema.describe(
    'Up to 10 tags of 1 to 40 characters. Of tags that look the same, in any case, the first is kept.',
  ),
  waitTimer: number('waitTimer', 'Seconds that visitors wait on the preview page'),
  forwardQuery: z
    .boolean()
    .describe(
      'If true, the query of a visit is added to the target, and replaces parameters of the same names. Default false.',
    ),
  hideUntilStart: z
    .boolean()
    .describe(
      'If true, visitors get a 404 until `startsAt`, as if there were no link. Default false.',
    ),
  publicStats: z
    .boolean()
    .describe(
      'If true, everybody can see the statistics of the link, at its short URL with `/stats`. Default false.',
    ),
  description: text(0, PLAIN_FIELDS.description.maxCharacters, trimmed)
    .regex(
      NO_CONTROL_BUT_LINE_BREAKS,
      'Must not contain control characters other than line breaks.',
    )
    .describe('Description of the link: up to 2,000 characters, line breaks allowed.'),
  customGtmId: trimmed
    .regex(
      CONTAINER_PATTERN,
      'Must be "GTM-" followed by 4 to 10 capital letters or digits, such as GTM-ABC1234.',
    )
    .describe('Tag Manager container to load on the preview page: `GTM-XXXXXXX`.'),
} satisfies { [K in PlainField]: z.ZodType<NonNullable<PlainValues[K]>> };
type Sent = typeof SENT;

/** Each plain field of a record that has it. */
const RECORDED = {
  title: z.string().describe('The title, or an empty string.'),
  label: z.string().describe('The private title, or an empty string.'),
  tags: z.array(z.string()).describe('The tags, as written.'),
  waitTimer: z.number().describe('Seconds that visitors wait on the preview page.'),
  forwardQuery: z.boolean().describe('Whether the query of a visit is added to the target.'),
  hideUntilStart: z.boolean().describe('Whether visitors get a 404 until the link starts.'),
  publicStats: z.boolean().describe('Whether everybody can see the statistics of the link.'),
  description: z.string().nullable().describe('The description, or null.'),
  customGtmId: z
    .string()
    .nullable()
    .describe('ID of the Tag Manager container of the preview page, or null.'),
} satisfies { [K in PlainField]: z.ZodType<PlainValues[K]> };

type FieldWithDefault<Value> = z.ZodDefault<z.ZodType<Value, Value>>;
type FieldsWithDefault = { [K in PlainField]: FieldWithDefault<PlainValues[K]> };

/**
 * The plain fields of a record. A server of an earlier version, and a link that one has saved, do not have the
 * newest ones yet: these have their default.
 */
export const recordFields = mapFields<FieldsWithDefault>((name, { default: none }) =>
  (RECORDED[name] as z.ZodType).default(none),
);

export const administratorsFields = Object.fromEntries(
  ADMINISTRATORS_FIELDS.map((name) => [name, recordFields[name]]),
) as Pick<typeof recordFields, AdministratorsField>;

type SentField<K extends PlainField> = null extends PlainValues[K]
  ? z.ZodNullable<Sent[K]>
  : Sent[K];

/** The plain fields of requests. What a record says can be sent: null if its default is null. */
export const sentFields = mapFields<{ [K in PlainField]: z.ZodOptional<SentField<K>> }>(
  (name, { default: none }) => {
    const sent = SENT[name];
    if (none !== null) return sent.optional().describe(sent.description ?? '');
    return sent.nullable().optional().describe(`${sent.description} null for none.`);
  },
);

/** Those of a link in a file. Absent ones have their default. */
export const importedFields = mapFields<FieldsWithDefault>((name, { default: none }) =>
  (none === null ? SENT[name].nullable() : (SENT[name] as z.ZodType)).default(none),
);
