import { z } from 'zod';
import { NO_CONTROL_BUT_LINE_BREAKS, NO_CONTROL_CHARACTERS } from '../fields.ts';
import {
  CONTAINER_PATTERN,
  DESCRIPTION_MAX_CHARACTERS,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  TITLE_MAX_CHARACTERS,
  WAIT_TIMER_MAX_SECONDS,
} from '../limits.ts';
import { foldTag, trimText } from '../text.ts';
import {
  ADMINISTRATORS_FIELDS,
  type AdministratorsField,
  mapFields,
  type PlainField,
  type PlainValues,
} from './fields.ts';

/** Counts code points: an emoji is one character, although a string has two code units for it. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine(
      (value) => {
        const length = [...value].length;
        return length >= min && length <= max;
      },
      `Must have ${min > 0 ? `${min} to ${max}` : `at most ${max}`} characters.`,
    )
    .refine((value) => value.isWellFormed(), 'Contains half a character (a lone surrogate).');

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
  title: text(0, TITLE_MAX_CHARACTERS)
    .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.')
    .describe('Title of the link: up to 300 characters.'),
  tags: tagsSchema.describe(
    'Up to 10 tags of 1 to 40 characters. Of tags that look the same, in any case, the first is kept.',
  ),
  waitTimer: z
    .number()
    .min(0, 'Must be 0 to 300 seconds.')
    .max(WAIT_TIMER_MAX_SECONDS, 'Must be 0 to 300 seconds.')
    .describe('Seconds that visitors wait on the preview page: 0 (default) to 300.'),
  forwardQuery: z
    .boolean()
    .describe('If true, the query of a visit is added to the target. Default false.'),
  hideUntilStart: z
    .boolean()
    .describe(
      'If true, visitors get a 404 until `startsAt`, as if there were no link. Default false.',
    ),
  description: text(0, DESCRIPTION_MAX_CHARACTERS)
    .regex(
      NO_CONTROL_BUT_LINE_BREAKS,
      'Must not contain control characters other than line breaks.',
    )
    .describe('Description of the link: up to 2,000 characters, line breaks allowed.'),
  customGtmId: z
    .string()
    .regex(
      CONTAINER_PATTERN,
      'Must be "GTM-" followed by 4 to 10 capital letters or digits, such as GTM-ABC1234.',
    )
    .describe('Tag Manager container to load on the preview page: `GTM-XXXXXXX`.'),
} satisfies { [K in PlainField]: z.ZodType<NonNullable<PlainValues[K]>> };
type Sent = typeof SENT;

/** Each plain field of a record. */
export const recordFields = {
  title: z.string().describe('The title, or an empty string.'),
  tags: z.array(z.string()).describe('The tags, as written.'),
  waitTimer: z.number().describe('Seconds that visitors wait on the preview page.'),
  forwardQuery: z.boolean().describe('Whether the query of a visit is added to the target.'),
  hideUntilStart: z.boolean().describe('Whether visitors get a 404 until the link starts.'),
  description: z.string().nullable().describe('The description, or null.'),
  customGtmId: z
    .string()
    .nullable()
    .describe('ID of the Tag Manager container of the preview page, or null.'),
} satisfies { [K in PlainField]: z.ZodType<PlainValues[K]> };

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

type ImportedField<Value> = z.ZodDefault<z.ZodType<Value, Value>>;

/** Those of a link in a file. Absent ones have their default. */
export const importedFields = mapFields<{ [K in PlainField]: ImportedField<PlainValues[K]> }>(
  (name, { default: none }) =>
    (none === null ? SENT[name].nullable() : (SENT[name] as z.ZodType)).default(none),
);
