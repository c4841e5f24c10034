import { z } from 'zod';
import { EMPTY_FORM, type LinkForm } from '../../shared/ui/link-form/link-form.ts';

/** A form that was not submitted yet. Its password is never stored. */
export type FormDraft = {
  /** The fields that the user changed. */
  fields: Partial<Omit<LinkForm, 'password'>>;
  /** Whether the user had entered a password, which must be entered again. */
  hadPassword?: true | undefined;
  /** Id of the link that the form changes. Absent for a new link. */
  linkId?: string | undefined;
};

const { password: _, ...stored } = EMPTY_FORM;

/** Strict: a password must not reach the storage. */
export const formDraftSchema = z.strictObject({
  fields: z.strictObject(
    Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [name, like(value).exactOptional()]),
    ),
  ),
  hadPassword: z.literal(true).optional(),
  linkId: z.string().optional(),
}) as unknown as z.ZodType<FormDraft>;

/** Of the type that the form has for a field. */
function like(value: unknown): z.ZodType {
  if (typeof value === 'boolean') return z.boolean();
  return Array.isArray(value) ? z.array(z.json()) : z.string();
}
