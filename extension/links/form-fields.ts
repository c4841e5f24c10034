import type { FormFields } from '../../shared/ui/link-form/form-fields.ts';

/** The values of the popup's form. It creates a link, or changes the one that is shown. */
export type PopupFields = FormFields & {
  /** The destination of an existing link. */
  originalUrl: string;
  removesPassword: boolean;
};

/** A form that was not submitted yet. Its password is never stored. */
export type FormDraft = {
  /** The fields that the user changed. */
  fields: Partial<Omit<PopupFields, 'password'>>;
  /** Whether the user had entered a password, which must be entered again. */
  hadPassword?: true | undefined;
  /** Id of the link that the form changes. Absent for a new link. */
  linkId?: string | undefined;
};
