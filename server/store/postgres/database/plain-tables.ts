/** Kinds of records whose tables have nothing but the key and the value, as JSON. */
export const PLAIN_TABLES = [
  ['block', 'blocks'],
  ['domain', 'domains'],
  ['report', 'reports'],
  ['day', 'days'],
] as const;

/** A row of such a table. */
export type PlainRow<Value = unknown> = { key: string; value: Value };
