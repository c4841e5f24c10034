import { z } from 'zod';
import {
  ADDRESS_PATTERN,
  ALIAS_PATTERN,
  DOMAIN_MAX_CHARACTERS,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
} from './bounds.ts';
import { trimText } from './text.ts';
import { toIsoTime } from './time-text.ts';

/** Returns the schema of the alias or the ID of something. Nothing has another one, so no store is asked for it. */
export function nameOf(description: string) {
  return z.string().regex(ALIAS_PATTERN, 'There is nothing of this name.').describe(description);
}

const SELECTING = new WeakSet<z.ZodType>();

/**
 * Marks a query parameter that selects or orders, such as a filter. Forms and templates send those that they don't
 * mean with an empty value, which is then the same as none. Everywhere else, an empty value means something, or is
 * an error.
 */
export function selecting<T extends z.ZodType>(parameter: T): T {
  SELECTING.add(parameter);
  return parameter;
}

export function isSelecting(parameter: z.ZodType): boolean {
  return SELECTING.has(parameter);
}

/** Returns the schema of a switch in a query. Without a value it is on: `?dryRun`. */
export function flag(description: string) {
  return z
    .union([z.boolean(), z.enum(['', 'true', '1', 'false', '0'])], 'Must be true or false.')
    .transform((value) => value === true || ['', 'true', '1'].includes(String(value)))
    .default(false)
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        jsonSchema.type = 'boolean';
      },
    });
}

/** Returns the schema of the host of a short domain, in whatever spelling. */
export function domainParameter(description: string) {
  return selecting(
    z
      .string()
      .overwrite(trimText)
      .min(1, 'Must not be empty.')
      .max(DOMAIN_MAX_CHARACTERS, `Must have at most ${DOMAIN_MAX_CHARACTERS} characters.`)
      .optional()
      .describe(description),
  );
}

/** Returns the schema of an alias, or one with the host of its domain in front: `go.example/sale`. */
export function addressField(description: string) {
  return z
    .string()
    .regex(ADDRESS_PATTERN, 'Must be an alias, or a host with an alias, such as go.example/sale.')
    .describe(description);
}

/**
 * Instead of `\p{Cc}`, which needs the flag `u`: the API reference repeats patterns without their flags, and
 * they must mean the same to every validator.
 */
const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f';
export const NO_CONTROL_CHARACTERS = new RegExp(`^[^${CONTROL_CHARACTERS}]*$`);
export const NO_CONTROL_BUT_LINE_BREAKS = new RegExp(`^([^${CONTROL_CHARACTERS}]|[\\r\\n])*$`);

/** Returns the schema of one line of text that people read, such as a name. Trimmed, and not empty. */
export function textLine(maxCharacters: number) {
  return z
    .string()
    .overwrite(trimText)
    .min(1, 'Must not be empty.')
    .max(maxCharacters, `Must have at most ${maxCharacters} characters.`)
    .regex(NO_CONTROL_CHARACTERS, 'Must not contain control characters or line breaks.')
    .refine((text) => text.isWellFormed(), 'Contains half a character (a lone surrogate).');
}

/** Returns the fields of a record that its edit does not have. They can be sent back, and the server compares them. */
export function readOnlyFields<R extends object, E extends object>(record: R, editable: E) {
  const names = Object.keys(record).filter((name) => !Object.hasOwn(editable, name));
  const field = z.unknown().optional();
  const description = 'Ignored with the value that the record has.';
  return Object.fromEntries(
    names.map((name) => [name, field.meta({ readOnly: true, description })]),
  ) as { [K in Exclude<keyof R, keyof E>]: typeof field };
}

/** A time with an offset. The parsed one is as ISO 8601 has it. */
export const timeSchema = z
  .string()
  .overwrite(trimText)
  .meta({ format: 'date-time' })
  .transform((text, context) => {
    const time = toIsoTime(text);
    if (time !== undefined) return time;
    context.addIssue({
      code: 'custom',
      message:
        'Must be an existing date and time with an offset or Z, such as 2030-01-31T12:00:00Z.',
    });
    return z.NEVER;
  });

/** A time that is written with a year of four digits in UTC, too. */
export const utcTimeSchema = timeSchema.refine(
  (time) => /^\d/.test(new Date(time).toISOString()),
  'Must be in a year from 0 to 9999, in UTC.',
);

/** Returns the parameters of every list that is read page by page. */
export function pageParameters(rows: string) {
  const error = `Must be a whole number from 1 to ${LIST_LIMIT_MAX}.`;
  return {
    limit: selecting(
      z.coerce
        .number<number>(error)
        .int(error)
        .min(1, error)
        .max(LIST_LIMIT_MAX, error)
        .optional()
        .describe(
          `Number of ${rows} per page: 1 to ${LIST_LIMIT_MAX}, default ${LIST_LIMIT_DEFAULT}.`,
        ),
    ),
    cursor: selecting(z.string().optional().describe('`nextCursor` of the previous page.')),
  };
}

/** Returns the schema of what clients search for: part of a text. */
export function searchParameter(description: string) {
  return selecting(
    z
      .string()
      .overwrite(trimText)
      .max(SEARCH_MAX_CHARACTERS, `Must have at most ${SEARCH_MAX_CHARACTERS} characters.`)
      .optional()
      .describe(description),
  );
}

const SEARCH_MAX_CHARACTERS = 200;

/**
 * Returns the schema of a text in a response that is one of these values. Another one, of a newer server, is read as
 * `otherwise`, or stays as it is.
 */
export function oneOf<V extends string, const O extends V | null | string[] = V>(
  values: readonly V[],
  otherwise?: O,
): z.ZodType<V | O> {
  const isKnown = (value: string) => (values as readonly string[]).includes(value);
  const schema = z.string().overwrite((value) => {
    return isKnown(value) || otherwise === undefined ? value : (otherwise as string);
  });
  return schema.meta({ enum: [...values] }) as unknown as z.ZodType<V | O>;
}

/** Returns the schema of the body of a successful response. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.object({
    success: z.literal(true),
    message: z.string().describe('Human-readable text.'),
    data,
  });
}

/** Returns the schema of the 200 of a list that is read page by page. */
export function pageOf<T extends z.ZodType>(row: T, description: string) {
  return envelope(z.array(row).max(LIST_LIMIT_MAX).describe(description)).extend({
    nextCursor: z
      .string()
      .nullable()
      .describe('The `cursor` of the next page, or null on the last one.'),
  });
}
