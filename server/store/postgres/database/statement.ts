/** A statement that each connection prepares once. The name is unique. */
export type Statement = { name: string; text: string };

/** What PostgreSQL's driver takes as the value of a parameter. JSON is passed as text. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];

/** Runs a statement and returns its rows. Texts without a name are not prepared. */
export type Query = <Row extends object = Record<string, never>>(
  statement: Statement | string,
  values?: readonly Value[],
) => Promise<Row[]>;
