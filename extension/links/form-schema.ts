import { z } from 'zod';
import { EXPIRY_KINDS, EXPIRY_UNITS } from '../../shared/ui/link-form/form-fields.ts';
import type { FormDraft } from './form-fields.ts';

const text = z.string().exactOptional();

/** Strict: a password must not reach the storage. */
export const formDraftSchema: z.ZodType<FormDraft> = z.strictObject({
  fields: z.strictObject({
    alias: text,
    expiryKind: z.enum(EXPIRY_KINDS).exactOptional(),
    expiryDate: text,
    expiryAmount: text,
    expiryUnit: z.enum(EXPIRY_UNITS).exactOptional(),
    waitSeconds: text,
    container: text,
    title: text,
    description: text,
  }),
  hadPassword: z.literal(true).optional(),
});
