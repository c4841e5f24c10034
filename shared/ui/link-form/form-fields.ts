import type { DestinationInputs } from './destination-inputs.ts';
import type { FieldInputs } from './field-inputs.ts';

export const EXPIRY_KINDS = ['never', '1h', '1d', '7d', '30d', 'custom'] as const;
export const EXPIRY_UNITS = ['minutes', 'hours', 'days'] as const;
export type ExpiryUnit = (typeof EXPIRY_UNITS)[number];

/** The values of the form for a link with options, as its controls have them. */
export type FormFields = FieldInputs &
  DestinationInputs & {
    alias: string;
    /** A host; empty for that of links that name none. */
    domain: string;
    password: string;
    expiryKind: (typeof EXPIRY_KINDS)[number];
    /** The value of `<input type="datetime-local">`: local time without an offset. */
    expiryDate: string;
    expiryAmount: string;
    expiryUnit: ExpiryUnit;
    /** Empty for no limit. */
    maxVisits: string;
  };
