import { IMPORT_SOURCES, type ImportSource } from '../../../../shared/links/transfer.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { findHeader } from '../reading/table-header.ts';
import { FORMATS } from './formats.ts';

/**
 * Finds out what a file was exported from, by what only files of one service have.
 *
 * @param start the first part of its text, with the header of a table
 * @throws ServiceError `invalid_request` if it is of none
 */
export function detectSource(start: string, isJson: boolean): ImportSource {
  const found = isJson
    ? IMPORT_SOURCES.find((source) => FORMATS[source].json?.sign.test(start))
    : IMPORT_SOURCES.find((source) => fitsTable(start, source));
  if (found) return found;
  throw new ServiceError(
    'invalid_request',
    'The file is neither an export of Curt, Kutt, Shlink, Dub, YOURLS or Bitly nor a table whose first row has the column originalUrl.',
  );
}

/** Other services have some columns of Curt's own table, beside others. */
function fitsTable(start: string, source: ImportSource): boolean {
  const { csv } = FORMATS[source];
  const header = csv && findHeader(start, csv);
  return header !== undefined && (source !== 'curt' || header.unknown.length === 0);
}
