import type { z } from 'zod';
import type { ImportedLink } from '../imported-link.ts';

/** How the files of a service are read. */
export type Format = {
  json?: JsonFormat;
  csv?: CsvFormat;
};

export type JsonFormat = {
  /**
   * Where the links are, such as `$.data.*`. A file can also be an array of links, or several
   * responses one after another.
   */
  path: string;
  /** A field that no other service's files have. */
  sign: RegExp;
  row: z.ZodType<ImportedLink>;
  /** A value beside the links, and a sentence on what is wrong with it. */
  header?: { path: string; check: (value: unknown) => string | undefined };
};

export type CsvFormat = {
  /** The columns, and what else they are called. Regardless of case, spaces, `-` and `_`. */
  columns: Record<string, string[]>;
  required: string[];
  /** Gets the cells by column; for Curt's own tables the empty ones, too. */
  row: z.ZodType<ImportedLink>;
  /** Whether it is Curt's own table: unknown columns are typos, and formulas were escaped. */
  isOwn?: boolean;
};
