import { z } from 'zod';
import { readOnlyFields } from '../schemas.ts';
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

const readOnly = readOnlyFields(createdLinkSchema.shape, editable);
export type ReadOnlyField = keyof typeof readOnly;
export const READ_ONLY_FIELDS = Object.keys(readOnly) as ReadOnlyField[];

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
