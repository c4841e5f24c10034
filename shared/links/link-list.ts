import { z } from 'zod';
import {
  LINKS_COUNTED_MAX,
  ORIGINAL_URL_MAX_CHARACTERS,
  TAG_MAX_CHARACTERS,
  VISITS_DAYS,
} from '../bounds.ts';
import { domainParameter, pageOf, pageParameters, searchParameter, selecting } from '../schemas.ts';
import { trimText } from '../text.ts';
import { linkRecordSchema } from './link-record.ts';
import { LINK_STATUSES } from './link-status.ts';
import { numberIn } from './plain-field-schemas.ts';
import {
  definitionOf,
  type ExactField,
  eachExactField,
  isPlainField,
  type PlainField,
  type PlainValues,
  SEARCHED_TEXT,
} from './plain-fields.ts';

/** The orders of a list of links. */
export const LINK_SORTS = ['created', 'visits', 'lastVisit', 'alias'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

const exactText = z
  .string()
  .overwrite(trimText)
  .max(ORIGINAL_URL_MAX_CHARACTERS, `Must have at most ${ORIGINAL_URL_MAX_CHARACTERS} characters.`);

function exactValue(name: ExactField): z.ZodType {
  const definition = isPlainField(name) ? definitionOf(name) : undefined;
  if (definition?.control !== 'number') return exactText;
  return numberIn(definition, z.coerce.number<number>());
}

type ValueOf<K extends ExactField> = K extends PlainField ? NonNullable<PlainValues[K]> : string;
const exactParameters = eachExactField((name) =>
  selecting(
    exactValue(name)
      .optional()
      .describe(
        name === 'importId'
          ? 'Only links that this import has added: the `importId` of its report.'
          : `Only links with exactly this \`${name}\`.`,
      ),
  ),
) as { [K in ExactField]: z.ZodOptional<z.ZodType<ValueOf<K>, ValueOf<K>>> };

/** Returns the schema of a tag in a query. */
export const tagParameter = (description: string) =>
  selecting(
    z
      .string()
      .overwrite(trimText)
      .max(TAG_MAX_CHARACTERS * 2, `Must have at most ${TAG_MAX_CHARACTERS} characters.`)
      .optional()
      .describe(description),
  );

/** Which links of the account a request is about. */
export const linkFilterSchema = z.strictObject({
  q: searchParameter(
    `Words in any order, each part of ${SEARCHED_TEXT}, regardless of case and diacritics. A short URL finds its link, and a URL finds destinations with another protocol, too.`,
  ),
  tag: tagParameter('A tag, regardless of case.'),
  domain: domainParameter('Only links on this domain.'),
  status: selecting(
    z
      .enum(LINK_STATUSES)
      .optional()
      .describe('Only links with this status. Deleted links are included only with `deleted`.'),
  ),
  ...exactParameters,
});
export type LinkFilter = z.output<typeof linkFilterSchema>;

/** The query of `GET /api/links`. */
export const linkListQuerySchema = z.strictObject({
  ...pageParameters('links'),
  ...linkFilterSchema.shape,
  sort: selecting(
    z
      .enum(LINK_SORTS)
      .optional()
      .describe(
        'Order: `created` (default), `visits` and `lastVisit`, greatest first, or `alias`, from A to Z. A link whose alias is `q` comes before all others.',
      ),
  ),
  include: selecting(
    z
      .literal('visits30')
      .optional()
      .describe(`\`visits30\` adds the visits of the last ${VISITS_DAYS} days to each link.`),
  ),
});

const linkTotalSchema = z
  .object({
    count: z
      .number()
      .int()
      .describe(`At most ${LINKS_COUNTED_MAX.toLocaleString('en')}.`),
    isExact: z.boolean().describe('False if there are more than `count`.'),
  })
  .describe('How many links match.');
export type LinkTotal = z.output<typeof linkTotalSchema>;

/** The 200 of `GET /api/links`. */
export const linkListResponseSchema = pageOf(linkRecordSchema, 'In the order of `sort`.').extend({
  total: linkTotalSchema.optional().describe('How many links match; on the first page only.'),
});
export type LinkListResponse = z.output<typeof linkListResponseSchema>;
