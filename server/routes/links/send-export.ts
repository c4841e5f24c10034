import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type ExportCall,
  type ExportDependencies,
  exportLinks,
} from '../../links/transfer/export-links.ts';

const FILE_TYPES = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' };

/** Streams all links of an account as a file. */
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
  reply.header('content-type', FILE_TYPES[call.format]);
  reply.header('content-disposition', `attachment; filename="curt-links-${date}.${call.format}"`);
  return reply.send(Readable.from(withFirst(first, parts)));
}

async function* withFirst<T>(first: IteratorResult<T>, rest: AsyncIterable<T>) {
  if (!first.done) yield first.value;
  yield* rest;
}
