type Numbered = { number: number };

type Source<Row extends Numbered> = {
  /** Only rows with a lower number. @default all */
  before: number | null;
  /** Numbers that one statement looks at, so that none takes long however few rows it finds. */
  numbersAtOnce: number;
  /** Rows that one statement returns at most. */
  rowsAtOnce: number;
  /** The highest number below another one, of any row. */
  lastBefore: (number: number) => Promise<number | null>;
  /** The rows with these numbers that are wanted, highest number first. */
  read: (first: number, last: number) => Promise<Row[]>;
};

/** Reads the rows of a long table as far as the caller needs them, the highest number first. */
export async function* readNewestFirst<Row extends Numbered>({
  before,
  numbersAtOnce,
  rowsAtOnce,
  lastBefore,
  read,
}: Source<Row>): AsyncGenerator<Row> {
  let last = await lastBefore(before ?? Number.MAX_SAFE_INTEGER);
  while (last !== null) {
    const first: number = Math.max(0, last - numbersAtOnce + 1);
    const rows = await read(first, last);
    yield* rows;
    const isFull: boolean = rows.length === rowsAtOnce;
    last = isFull ? (rows.at(-1) as Row).number - 1 : await lastBefore(first);
  }
}
