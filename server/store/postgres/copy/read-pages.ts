import type { Client, QueryResultRow } from 'pg';

/** Rows at once. */
export const PAGE_ROWS = 1000;

/**
 * Reads rows page by page.
 *
 * @param text with the position of the previous page as its first parameter
 * @param before a position before the first row
 */
export async function* readPages<Row extends QueryResultRow, Position extends string | number>(
  client: Client,
  {
    text,
    before,
    values = [],
  }: { text: string; before: Position; values?: (string | number | string[])[] },
  positionOf: (row: Row) => Position,
): AsyncGenerator<Row[]> {
  let position = before;
  for (;;) {
    const { rows } = await client.query<Row>(`${text} LIMIT ${PAGE_ROWS}`, [position, ...values]);
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < PAGE_ROWS) return;
    position = positionOf(last);
  }
}
