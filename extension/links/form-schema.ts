import { z } from 'zod';
import { CONDITIONS, type Condition } from '../../shared/links/destinations.ts';
import { type FieldDefinition, mapFields, type PlainField } from '../../shared/links/fields.ts';
import type { FieldInputs } from '../../shared/ui/link-form/field-inputs.ts';
import { EXPIRY_KINDS, EXPIRY_UNITS } from '../../shared/ui/link-form/form-fields.ts';
import type { FormDraft } from './form-fields.ts';

const text = z.string().exactOptional();

const INPUTS: Record<FieldDefinition['control'], z.ZodType> = {
  line: z.string(),
  text: z.string(),
  code: z.string(),
  number: z.string(),
  switch: z.boolean(),
  tags: z.array(z.string()),
};
const inputs = mapFields<{ [K in PlainField]: z.ZodExactOptional<z.ZodType<FieldInputs[K]>> }>(
  (_, { control }) => INPUTS[control].exactOptional(),
);

const rule = z.strictObject({
  ...(Object.fromEntries(CONDITIONS.map((name) => [name, text])) as Record<Condition, typeof text>),
  queryValue: text,
  originalUrl: z.string(),
  saved: z.strictObject({ from: text, until: text }).exactOptional(),
});

/** Strict: a password must not reach the storage. */
export const formDraftSchema: z.ZodType<FormDraft> = z.strictObject({
  fields: z.strictObject({
    originalUrl: text,
    alias: text,
    domain: text,
    expiryKind: z.enum(EXPIRY_KINDS).exactOptional(),
    expiryDate: text,
    expiryAmount: text,
    expiryUnit: z.enum(EXPIRY_UNITS).exactOptional(),
    maxVisits: text,
    startsAt: text,
    goneUrl: text,
    cardTitle: text,
    cardDescription: text,
    cardImageUrl: text,
    rules: z.array(rule).exactOptional(),
    removesPassword: z.boolean().exactOptional(),
    ...inputs,
  }),
  hadPassword: z.literal(true).optional(),
  linkId: z.string().optional(),
});
