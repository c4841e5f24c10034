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
    : detectTable(start);
  if (found) return found;
  throw new ServiceError(
    'invalid_request',
    'The file is neither an export of Curt, Kutt, Shlink, Dub, YOURLS or Bitly nor a table whose first row has the column originalUrl.',
  );
}

/**
 * The source whose table has the fewest unknown columns. Bitly's tables have some columns of Curt's own:
 * one of Curt with a misspelt column must be an error, not lose what Bitly does not know.
 */
function detectTable(start: string): ImportSource | undefined {
  const fitting = IMPORT_SOURCES.flatMap((source) => {
    const { csv } = FORMATS[source];
    const header = csv && findHeader(start, csv);
    return header ? { source, unknown: header.unknown.length } : [];
  });
  return fitting.sort((one, other) => one.unknown - other.unknown)[0]?.source;
}
