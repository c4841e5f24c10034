import type { z } from 'zod';
import {
  type exportQuerySchema,
  type ImportReport,
  type ImportSource,
  importResponseSchema,
} from '../links/transfer.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Files are larger than other bodies. */
const TIMEOUT_MS = 5 * 60_000;

export type ImportRequest = {
  /** @default what the server finds out */
  from?: ImportSource | undefined;
  file: Blob | string;
  /** Whether to report only what would happen. @default false */
  dryRun?: boolean;
};

export function transferMethods({ callForData, callForFile }: Transport) {
  return {
    /** `GET /api/links/export`: all links of the account, as a file. */
    exportLinks(
      token: string,
      query: z.output<typeof exportQuerySchema> = { format: 'json', secrets: false },
    ): Promise<Result<Blob>> {
      return callForFile({ path: '/api/links/export', query, token, timeoutMs: TIMEOUT_MS });
    },

    /** `POST /api/links/import`: imports a file of up to 16 MiB and 10,000 rows. */
    importLinks(
      token: string,
      { from, file, dryRun = false }: ImportRequest,
    ): Promise<Result<ImportReport>> {
      return callForData(
        {
          method: 'POST',
          path: '/api/links/import',
          query: { ...(from && { from }), dryRun },
          token,
          file,
          timeoutMs: TIMEOUT_MS,
        },
        importResponseSchema,
      );
    },
  };
}
