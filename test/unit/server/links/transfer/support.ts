import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTurns } from '../../../../../server/lib/yield-to-others.ts';
import type { ImportedLink } from '../../../../../server/links/transfer/meaning/field-values.ts';
import { type Row, readRows } from '../../../../../server/links/transfer/meaning/read-rows.ts';
import type { ImportQuery } from '../../../../../shared/links/transfer.ts';
import type { ImportSource } from '../../../../../shared/links/transfer-formats.ts';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/imports');

export const fixture = (path: string) => readFile(join(FIXTURES, path));

type Options = Partial<Pick<ImportQuery, 'from' | 'mapping' | 'dates' | 'encoding'>>;

/** Reads a file that arrives in chunks of the given size. */
export function readAll(file: Buffer | string, options: Options = {}, chunkBytes = 1000) {
  const bytes = Buffer.from(file);
  const chunks = function* () {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      yield bytes.subarray(start, start + chunkBytes);
    }
  };
  return readStream(chunks(), options);
}

export function readStream(
  chunks: Iterable<Buffer>,
  options: Options & { reserve?: (bytes: number) => void } = {},
) {
  const file = Readable.from(chunks, { objectMode: false });
  return readRows(file, { reserve: () => {}, nextTurn: createTurns(), ...options });
}

/** The rows of a file of the service. */
export async function read(
  from: ImportSource | undefined,
  file: Buffer | string,
  chunkBytes?: number,
): Promise<Row[]> {
  return (await readAll(file, { from }, chunkBytes)).rows;
}

/** The links of a file whose rows are all valid, with the target as text and what is said about each. */
export async function readLinks(...args: Parameters<typeof read>) {
  return (await read(...args)).map(toFlatLink);
}

export function toFlatLink({ row, link, issues }: Row) {
  if (!link) throw new Error(`row ${row}: ${JSON.stringify(issues)}`);
  return flat(link, issues);
}

function flat({ originalUrl, id: _, ...link }: ImportedLink, issues: Row['issues']) {
  const notes = issues.map(({ message }) => message);
  return { ...link, originalUrl: originalUrl.text, notes };
}
