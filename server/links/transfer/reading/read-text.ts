import type { Readable } from 'node:stream';
import { IMPORT_BODY_MAX_BYTES } from '../../../../shared/limits.ts';
import { ServiceError } from '../../../lib/service-error.ts';

/** Larger than all fields of a link together, and small enough to be validated at once. */
export const ROW_MAX_CHARACTERS = 128 * 1024;

/** Parsed at once. Chunks can be as large as the whole file. */
const SLICE_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;

export type ReadTextOptions = {
  /** Called with the size of each chunk before it is used; can throw. */
  reserve: (bytes: number) => void;
  /** Awaited before each slice, so that files that are read at once share the processor with requests. */
  nextTurn: () => Promise<void>;
};

/**
 * Decodes a file in slices, without its byte order mark. Leaves the stream open, so that the response
 * to an invalid file can be sent.
 *
 * @throws ServiceError `body_too_large` before more than 16 MiB are read, or `invalid_request` if it is
 *   not UTF-8
 */
export async function* readText(
  stream: Readable,
  { reserve, nextTurn }: ReadTextOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      // UTF-16 without a byte order mark is valid UTF-8, but full of null characters.
      if (!text.includes('\0')) return text;
    } catch {
      // Reported below.
    }
    throw new ServiceError(
      'invalid_request',
      'The file is not encoded in UTF-8. Save or export it as UTF-8.',
    );
  };
  let bytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > IMPORT_BODY_MAX_BYTES) throw fileTooLarge();
    reserve(chunk.length);
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      await nextTurn();
      yield decode(chunk.subarray(start, start + SLICE_BYTES));
    }
  }
  yield decode();
}

export function fileTooLarge(): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The file is larger than ${IMPORT_BODY_MAX_BYTES / MEBIBYTE} MiB. Split it into several files.`,
  );
}
