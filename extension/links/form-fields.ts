import type { FormFields } from '../../shared/ui/link-form/form-fields.ts';

/** A form that was not submitted yet. Its password is never stored. */
export type FormDraft = {
  /** The fields that the user changed. */
  fields: Partial<Omit<FormFields, 'password'>>;
  /** Whether the user had entered a password, which must be entered again. */
  hadPassword?: true | undefined;
};
