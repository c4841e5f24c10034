import { z } from 'zod';
import { createdLinkSchema } from './link-record.ts';
import { assertOneExpiry, shortenRequestSchema } from './shorten-request.ts';

const create = shortenRequestSchema.shape;

const editable = {
  ...create,
  originalUrl: create.originalUrl.optional().describe(text(create.originalUrl)),
  customAlias: create.customAlias.describe(
    'New alias: 1 to 64 of `A–Z a–z 0–9 - _`. The previous one still leads to the link. An empty string changes nothing.',
  ),
  domain: create.domain.describe(
    'Host of a domain that the link moves to. The previous short URL still leads to the link.',
  ),
  password: orNull(create.password),
  expiresAt: orNull(create.expiresAt),
  maxVisits: orNull(create.maxVisits),
  startsAt: orNull(create.startsAt),
  isActive: z.boolean().optional().describe('Whether the link is switched on.'),
};

export type ReadOnlyField = Exclude<keyof typeof createdLinkSchema.shape, keyof typeof editable>;
/** The fields of a record that no edit changes. */
export const READ_ONLY_FIELDS = Object.keys(createdLinkSchema.shape).filter(
  (name) => !Object.hasOwn(editable, name),
) as ReadOnlyField[];

/** So that a record can be sent back: the server compares them with the link. */
const readOnly = Object.fromEntries(
  READ_ONLY_FIELDS.map((name) => [
    name,
    z
      .unknown()
      .optional()
      .meta({ readOnly: true, description: 'Ignored with the value that the link has.' }),
  ]),
) as { [K in ReadOnlyField]: z.ZodOptional<z.ZodUnknown> };

/** The body of `PATCH /api/links/:alias`. Absent fields stay as they are. */
export const editRequestSchema = z
  .strictObject({ ...editable, ...readOnly })
  .superRefine(assertOneExpiry)
  .meta({ id: 'LinkEdit' });

/** The request as a client sends it. */
export type EditRequest = Omit<z.input<typeof editRequestSchema>, ReadOnlyField>;
export type ParsedEditRequest = z.output<typeof editRequestSchema>;

function orNull<T extends z.ZodType>(field: z.ZodOptional<T>) {
  return field
    .unwrap()
    .nullable()
    .optional()
    .describe(`${text(field)} null removes it.`);
}

function text(field: z.ZodType): string {
  return field.description ?? '';
}
