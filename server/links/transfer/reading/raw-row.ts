import { IMPORT_ROWS_MAX } from '../../../../shared/limits.ts';
import { ServiceError } from '../../../lib/service-error.ts';

/** A row before its fields are validated. */
export type RawRow = { row: number } & ({ value: unknown } | { problem: string });

/**
 * @param rows how many the file has so far, empty ones included
 * @throws ServiceError `body_too_large`
 */
export function assertRowCount(rows: number): void {
  if (rows <= IMPORT_ROWS_MAX) return;
  throw new ServiceError(
    'body_too_large',
    `The file has more than ${IMPORT_ROWS_MAX} rows, empty ones included. Split it into several files. Nothing was imported.`,
  );
}
