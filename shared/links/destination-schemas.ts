import { z } from 'zod';
import {
  DESCRIPTION_MAX_CHARACTERS,
  QUERY_PART_MAX_CHARACTERS,
  RULES_MAX,
  TITLE_MAX_CHARACTERS,
} from '../bounds.ts';
import { countryOf, isCountryCode } from '../countries.ts';
import {
  NO_CONTROL_BUT_LINE_BREAKS,
  NO_CONTROL_CHARACTERS,
  oneOf,
  utcTimeSchema,
} from '../schemas.ts';
import { type Card, CONDITIONS, RULE_DEVICES, RULE_SYSTEMS, type Rule } from './destinations.ts';
import { text, trimmed } from './plain-field-schemas.ts';
import { isTarget, isWebUrl, targetSchema, webUrlSchema } from './target-schemas.ts';

const LANGUAGE_MAX_CHARACTERS = 35;

const oneLine = (min: number, max: number, value?: z.ZodString) =>
  text(min, max, value).regex(
    NO_CONTROL_CHARACTERS,
    'Must not contain control characters or line breaks.',
  );
const utc = () => z.iso.datetime();
const target = () => z.string().refine(isTarget);

const languageSchema = z
  .string()
  .max(LANGUAGE_MAX_CHARACTERS, `Must have at most ${LANGUAGE_MAX_CHARACTERS} characters.`)
  .transform((tag, context) => {
    const language = canonicalLanguage(tag);
    if (language !== undefined) return language;
    context.addIssue({ code: 'custom', message: 'Must be a language tag, such as de or pt-BR.' });
    return z.NEVER;
  });
/** In UTC. */
const sentTime = utcTimeSchema.transform((time) => new Date(time).toISOString());

const parameter = {
  name: oneLine(1, QUERY_PART_MAX_CHARACTERS).describe('Name of the parameter.'),
  value: oneLine(0, QUERY_PART_MAX_CHARACTERS)
    .optional()
    .describe('Value that it must have. Any if omitted.'),
};
const PARAMETER = 'A parameter in the query of the visit, such as `src` with the value `qr`.';

const DEVICE = 'Kind of device, as in the statistics: `phone`, `tablet` or `computer`.';
const SYSTEM =
  'Operating system, as in the statistics: `Android`, `iOS`, `Windows`, `macOS`, `Linux` or `Chrome OS`.';

const COUNTRY = 'Country of the visitor, ISO 3166-1. Needs the setting `COUNTRY_HEADER`.';

const countryLetters = () =>
  z
    .string()
    .regex(/^[A-Z]{2}$/, { error: 'Must be two capital letters, such as CH.', abort: true });

const sentCountrySchema = countryLetters().refine(isCountryCode, {
  error: ({ input }) => {
    const meant = countryOf(String(input));
    return meant === undefined
      ? 'Must be a country of ISO 3166-1, such as CH.'
      : `Must be a country of ISO 3166-1. Use ${meant} instead.`;
  },
});

/** The conditions that requests and records write alike. */
const plainConditions = {
  device: z.enum(RULE_DEVICES).optional().describe(DEVICE),
  system: z.enum(RULE_SYSTEMS).optional().describe(SYSTEM),
  country: countryLetters().optional().describe(COUNTRY),
  share: z
    .int()
    .min(1, 'Must be 1 to 100.')
    .max(100, 'Must be 1 to 100.')
    .optional()
    .describe(
      'Percent of the visitors for whom the other conditions hold: 1 to 100. The shares of several rules add up.',
    ),
};
const LANGUAGE = 'Language that visitors prefer to the others that the rules name: BCP 47.';
const FROM = 'Holds from this time on: ISO 8601.';
const UNTIL = 'Holds before this time: ISO 8601.';

/**
 * A rule of a record. It keeps the conditions of a newer server, and their values, so that an edit of another rule
 * does not remove them.
 */
const ruleSchema: z.ZodType<Rule> = z
  .looseObject({
    ...plainConditions,
    device: oneOf(RULE_DEVICES).optional().describe(DEVICE),
    system: oneOf(RULE_SYSTEMS).optional().describe(SYSTEM),
    query: z.object(parameter).optional().describe(PARAMETER),
    language: z
      .string()
      .refine((tag) => canonicalLanguage(tag) !== undefined)
      .optional()
      .describe(LANGUAGE),
    from: utc().optional().describe(FROM),
    until: utc().optional().describe(UNTIL),
    originalUrl: target().describe('Where the visit goes, serialized as in `Location`.'),
  })
  .describe('All conditions that are given must hold.')
  .meta({ id: 'Rule' });

const sentRuleSchema = z
  .strictObject({
    ...plainConditions,
    country: sentCountrySchema.optional().describe(COUNTRY),
    query: z.strictObject(parameter).optional().describe(PARAMETER),
    language: languageSchema.optional().describe(LANGUAGE),
    from: sentTime.optional().describe(`${FROM} With an offset or \`Z\`.`),
    until: sentTime.optional().describe(`${UNTIL} With an offset or \`Z\`.`),
    originalUrl: targetSchema.describe('Where the visit goes. The same rules as for the link.'),
  })
  .refine(
    (rule) => CONDITIONS.some((name) => rule[name] !== undefined),
    `Must have a condition: one of ${CONDITIONS.join(', ')}.`,
  )
  .refine(({ from, until }) => from === undefined || until === undefined || from < until, {
    path: ['until'],
    message: 'Must be later than "from".',
  })
  .meta({ id: 'NewRule' });

const cardShape = {
  title: oneLine(1, TITLE_MAX_CHARACTERS, trimmed)
    .optional()
    .describe('Title: up to 300 characters.'),
  description: text(1, DESCRIPTION_MAX_CHARACTERS, trimmed)
    .regex(
      NO_CONTROL_BUT_LINE_BREAKS,
      'Must not contain control characters other than line breaks.',
    )
    .optional()
    .describe('Description: up to 2,000 characters.'),
};
const IMAGE = 'URL of a picture, http or https. The server never requests it.';

const imageUrlSchema = webUrlSchema.transform(({ url }) => url.href);

const cardSchema: z.ZodType<Card> = z
  .object({ ...cardShape, imageUrl: z.string().refine(isWebUrl).optional().describe(IMAGE) })
  .meta({ id: 'Card' });

const sentCardSchema = z
  .strictObject({ ...cardShape, imageUrl: imageUrlSchema.optional().describe(IMAGE) })
  .refine(
    (card) => Object.keys(card).length > 0,
    'Must have a title, a description or an imageUrl.',
  )
  .meta({ id: 'NewCard' });

/** What the request for a new link has besides its target. */
export const newLinkDestinations = {
  rules: z
    .array(sentRuleSchema)
    .max(RULES_MAX, `Must be at most ${RULES_MAX} rules.`)
    .optional()
    .describe(
      `Up to ${RULES_MAX} rules, in order: the first that matches decides where a visit goes, otherwise \`originalUrl\`.`,
    ),
  startsAt: utcTimeSchema
    .optional()
    .describe(
      'When the link begins to work: ISO 8601 with an offset or `Z`. Before, visitors see a page that says so.',
    ),
  goneUrl: targetSchema
    .nullable()
    .optional()
    .describe(
      'Where visitors go when the link is expired, used up or paused. The same rules as for `originalUrl`. null for none.',
    ),
  card: sentCardSchema
    .nullable()
    .optional()
    .describe('What link previews in chats and feeds show. People never see it. null for none.'),
};

export const recordDestinations = {
  rules: z.array(ruleSchema).describe('The rules, in order.'),
  startsAt: utc().nullable().describe('When the link begins to work, in UTC, or null.'),
  goneUrl: target()
    .nullable()
    .describe('Where visitors go once the link is expired, used up or paused, or null.'),
  card: cardSchema.nullable().describe('What link previews show, or null.'),
};

/**
 * In the form that BCP 47 recommends, without extensions, such as an order of sorting, which say nothing of the
 * language and for which `Intl.DisplayNames` has no name; undefined if it is no tag.
 */
function canonicalLanguage(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).baseName;
  } catch {
    return undefined;
  }
}
