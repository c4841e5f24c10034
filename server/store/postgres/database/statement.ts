import { hash } from 'node:crypto';

/** What PostgreSQL's driver takes as the value of a parameter. JSON is passed as text. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Runs a statement and returns its rows. */
export type Query = <Row extends object = Record<string, never>>(
  statement: string,
  values?: readonly Value[],
) => Promise<Row[]>;

const names = new Map<string, string>();

/** A statement for the driver. Each connection prepares one with parameters once, by its name. */
export function toQueryConfig(text: string, values: readonly Value[]) {
  if (values.length === 0) return { text };
  const name = names.get(text) ?? hash('md5', text);
  names.set(text, name);
  return { name, text, values: [...values] };
}
