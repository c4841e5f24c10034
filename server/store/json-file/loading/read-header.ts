import { damagedLine, type OnDataError } from '../files/data-error.ts';
import { checkHeader, type FileHeader } from '../files/file-header.ts';
import { type Lines, readLines } from '../files/read-lines.ts';

/** The first line of a file; undefined if it is damaged, after that was reported. */
export function readHeader(path: string, onError: OnDataError): FileHeader | undefined {
  for (const lines of readLines<FileHeader>(path)) return headerOf(path, lines, onError);
  onError(damagedLine(path, 1, 0));
  return undefined;
}

/** @param lines the first ones of the file */
export function headerOf(
  path: string,
  { bytes, ends, values }: Lines<unknown>,
  onError: OnDataError,
): FileHeader | undefined {
  return checkHeader(path, bytes.toString('utf8', 0, ends[0]), values[0], onError);
}
