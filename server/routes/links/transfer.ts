import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { IMPORT_BODY_MAX_BYTES } from '../../../shared/limits.ts';
import {
  exportedFileSchema,
  exportQuerySchema,
  type ImportResponse,
  importQuerySchema,
  importResponseSchema,
} from '../../../shared/links/transfer.ts';
import { parseQuery } from '../../lib/parse-input.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ExportDependencies } from '../../links/transfer/export-links.ts';
import { createImporter, type ImportDependencies } from '../../links/transfer/import-links.ts';
import { fileTooLarge } from '../../links/transfer/reading/read-text.ts';
import { assertContentType } from '../../web/http/content-type.ts';
import { type Endpoint, ownerOf } from '../../web/plugins/endpoint.ts';
import { sendExport } from './send-export.ts';

type Dependencies = ExportDependencies & ImportDependencies;

/** The content decides. */
const TYPES = [
  'application/json',
  'application/octet-stream',
  'text/csv',
  'text/tab-separated-values',
];

const exportEndpoint: Endpoint = {
  access: 'read',
  tag: 'Links',
  operationId: 'exportLinks',
  summary: 'Export all links',
  description: 'Deleted links are left out. `secrets=true` needs a token with the scope `all`.',
  query: exportQuerySchema,
  response: exportedFileSchema,
  otherResponse: { types: ['text/csv'], description: 'A file that can be imported again.' },
};

const importEndpoint: Endpoint = {
  access: 'all',
  tag: 'Links',
  operationId: 'importLinks',
  summary: 'Import links',
  description:
    'Imports a file of Curt or of another service, which it finds out by itself. A repeated import adds nothing.',
  query: importQuerySchema,
  otherBody: {
    types: TYPES,
    description: 'A file of up to 16 MiB and 10,000 rows, in UTF-8.',
  },
  response: importResponseSchema,
  errors: [
    'invalid_json',
    'body_too_large',
    'unsupported_media_type',
    'anonymous_limit',
    'store_full',
    'busy',
  ],
};

/** `GET /api/links/export` and `POST /api/links/import`. Files are streamed in both directions. */
export async function linkTransferRoutes(app: FastifyInstance, dependencies: Dependencies) {
  const importLinks = createImporter(dependencies);

  app.get('/links/export', { config: { endpoint: exportEndpoint } }, async (request, reply) => {
    const { format, secrets } = parseQuery(exportQuerySchema, request.query);
    const { account, tokenInfo } = ownerOf(request);
    const { authorization: by } = request;
    if (secrets && tokenInfo.scope !== 'all') {
      throw new ServiceError(
        'insufficient_scope',
        'Password hashes are exported only with a token with the scope "all".',
      );
    }
    return sendExport(reply, { accountId: account.id, by, format, secrets }, dependencies);
  });

  // Streams instead of the parser that reads the whole body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(TYPES, (_request, payload, done) => done(null, payload));

  app.post('/links/import', {
    config: { isRateLimited: true, endpoint: importEndpoint },
    // Runs before the body is read and after the rate limit has counted the request.
    preParsing: (request, _reply, _payload, done) => {
      assertContentType(
        request.headers,
        TYPES,
        `Send the file with one of these as "Content-Type": ${TYPES.join(', ')}.`,
      );
      if (Number(request.headers['content-length']) > IMPORT_BODY_MAX_BYTES) throw fileTooLarge();
      done();
    },
    handler: async (request): Promise<ImportResponse> => {
      try {
        const { from, dryRun } = parseQuery(importQuerySchema, request.query);
        const data = await importLinks({
          file: request.body as Readable,
          source: from,
          account: ownerOf(request).account,
          address: ownerOf(request).address,
          by: request.authorization,
          dryRun,
        });
        const count = data.imported + data.renamed;
        const message = dryRun
          ? `Nothing was imported. It would be ${count} of ${data.rows} rows.`
          : `${count} of ${data.rows} rows were imported.`;
        return { success: true, message, data };
      } finally {
        // Takes in the rest of an invalid file, so that the client reads the response.
        request.raw.resume();
      }
    },
  });
}
