import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { IMPORT_BODY_MAX_BYTES } from '../../../shared/bounds.ts';
import type { FileFormat } from '../../../shared/links/transfer-formats.ts';
import { ServiceError } from '../../lib/service-error.ts';
import {
  type ExportCall,
  type ExportDependencies,
  exportLinks,
} from '../../links/transfer/export-links.ts';
import { createImporter, type ImportDependencies } from '../../links/transfer/import-links.ts';
import { readImport, stopImport } from '../../links/transfer/import-status.ts';
import { fileTooLarge } from '../../links/transfer/reading/read-text.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';
import { assertContentType } from '../../web/plugins/request-bodies.ts';
import { addRoutes } from './add-routes.ts';

type Dependencies = ExportDependencies & ImportDependencies;

/** The content decides. */
const TYPES = [
  'application/json',
  'application/octet-stream',
  'text/csv',
  'text/html',
  'text/tab-separated-values',
];
const TABLE = { type: 'text/csv; charset=utf-8', end: '.csv' };
const FILES: Record<FileFormat, { type: string; end: string }> = {
  json: { type: 'application/json; charset=utf-8', end: '.json' },
  csv: TABLE,
  shlink: { ...TABLE, end: '-shlink.csv' },
  yourls: { ...TABLE, end: '-yourls.csv' },
};

/** What an endpoint declares that answers with `sendExport`. */
export const EXPORT = {
  otherResponse: { types: ['text/csv'], description: 'A file that can be imported again.' },
};

/** Registers `GET /api/links/export` and `POST /api/links/import`. Files are streamed in both directions. */
export const transferRoutes = fp(
  async (app: FastifyInstance, dependencies: Dependencies) => {
    const add = addRoutes(app, 'Links', 'all');
    const importLinks = createImporter(dependencies);

    add.exportLinks(
      {
        ...EXPORT,
        access: 'read',
        summary: 'Export links',
        description:
          'All, or those that match the filter. Deleted links are left out. `secrets=true` needs a token with the scope `all`.',
      },
      async ({ query, by, request, reply }) => {
        const { account, tokenInfo } = ownerOf(request);
        if (query.secrets && tokenInfo.scope !== 'all') {
          throw new ServiceError(
            'insufficient_scope',
            'Password hashes are exported only with a token with the scope "all".',
          );
        }
        const { format, secrets, ...filter } = query;
        const call = { accountId: account.id, by, format, secrets, filter };
        return sendExport(reply, call, dependencies);
      },
    );

    add.getImport(
      {
        summary: 'Read how far the latest import is',
        description:
          'Of the last 24 hours. `DELETE /api/links?importId=` undoes it: the links that it has added can be restored, as all others.',
      },
      async ({ request }) => {
        const data = await readImport(ownerOf(request).account, dependencies);
        const message = data?.isRunning ? 'An import is running.' : 'No import is running.';
        return { success: true, message, data };
      },
    );

    add.stopImport(
      {
        summary: 'Stop an import',
        description:
          'What is imported stays. The response to the import says what, and the other rows have failed.',
      },
      async ({ request }) => {
        const data = await stopImport(ownerOf(request).account, dependencies);
        return {
          success: true,
          message: data ? 'The import ends.' : 'No import is running.',
          data,
        };
      },
    );

    // Streams instead of the parser that reads the whole body.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(TYPES, (_request, payload, done) => done(null, payload));

    add.importLinks(
      {
        isRateLimited: true,
        summary: 'Import links',
        description:
          'Imports a file of Curt, of another service, or any table with URLs. Detects what it is, and says what each column was taken for. A repeated import adds nothing.',
        otherBody: {
          types: TYPES,
          description: 'A file of up to 16 MiB and 10,000 rows.',
        },
        errors: [
          'invalid_json',
          'body_too_large',
          'unsupported_media_type',
          'anonymous_limit',
          'store_full',
          'busy',
        ],
        // Runs before the body is read and after the rate limit has counted the request.
        preParsing: (request, _reply, _payload, done) => {
          assertContentType(
            request.headers,
            TYPES,
            `Send the file with one of these as "Content-Type": ${TYPES.join(', ')}.`,
          );
          if (Number(request.headers['content-length']) > IMPORT_BODY_MAX_BYTES)
            throw fileTooLarge();
          done();
        },
      },
      async ({ query, by, request }) => {
        try {
          const { account, address } = ownerOf(request);
          const file = request.body as Readable;
          const data = await importLinks({ file, ...query, account, address, by });
          const count = data.imported + data.renamed + data.updated;
          const message = query.dryRun
            ? `Nothing was imported. It would be ${count} of ${data.rows} rows.`
            : `${count} of ${data.rows} rows were imported.`;
          return { success: true, message, data };
        } finally {
          // Takes in the rest of an invalid file, so that the client reads the response.
          request.raw.resume();
        }
      },
    );
  },
  { encapsulate: true },
);

/** Streams links of an account as a file. */
export async function sendExport(
  reply: FastifyReply,
  call: ExportCall,
  dependencies: ExportDependencies,
): Promise<FastifyReply> {
  const parts = exportLinks(dependencies, call);
  // Reads the first page, so that an error up to there gets a response of its own. A later one
  // closes the connection, and no client takes the file for complete.
  const first = await parts.next();
  const date = new Date(dependencies.clock()).toISOString().slice(0, 10);
  const { type, end } = FILES[call.format];
  reply.header('content-type', type);
  reply.header('content-disposition', `attachment; filename="curt-links-${date}${end}"`);
  return reply.send(Readable.from(withFirst(first, parts)));
}

async function* withFirst<T>(first: IteratorResult<T>, rest: AsyncIterable<T>) {
  if (!first.done) yield first.value;
  yield* rest;
}
