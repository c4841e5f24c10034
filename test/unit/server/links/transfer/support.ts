import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTurns } from '../../../../../server/lib/yield-to-others.ts';
import type { ImportedLink } from '../../../../../server/links/transfer/imported-link.ts';
import { type Row, readRows } from '../../../../../server/links/transfer/reading/read-rows.ts';
import type { ImportSource } from '../../../../../shared/links/transfer.ts';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/imports');

export const fixture = (path: string) => readFile(join(FIXTURES, path));

/** Reads a file that arrives in chunks of the given size. */
export function read(
  source: ImportSource,
  file: Buffer | string,
  chunkBytes = 1000,
): Promise<Row[]> {
  const bytes = Buffer.from(file);
  const chunks = function* () {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      yield bytes.subarray(start, start + chunkBytes);
    }
  };
  return readStream(source, chunks());
}

export async function readStream(source: ImportSource, chunks: Iterable<Buffer>): Promise<Row[]> {
  const file = Readable.from(chunks, { objectMode: false });
  const { rows } = await readRows(file, source, { reserve: () => {}, nextTurn: createTurns() });
  return rows;
}

/** The links of a file whose rows are all valid, with the target as text. */
export async function readLinks(...args: Parameters<typeof read>) {
  const rows = await read(...args);
  return rows.map((row) => {
    if ('problem' in row) throw new Error(`row ${row.row}: ${row.problem}`);
    return flat(row.link);
  });
}

function flat({ originalUrl, ...link }: ImportedLink) {
  return { ...link, originalUrl: originalUrl.text };
}
