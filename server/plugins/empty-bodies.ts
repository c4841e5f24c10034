import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * The body of a request that has none is a stream that has ended already (`optimizeEmptyRequests` of
 * `create-http-server.ts`). Fastify, where there is a Content-Type, would wait for its end forever:
 * it gets an empty stream that ends later.
 */
export const emptyBodies = fp(async (app: FastifyInstance) => {
  app.addHook('preParsing', ({ raw, headers }, _reply, payload, done) => {
    const isAwaited = headers['content-type'] !== undefined && raw.readableEnded;
    done(null, isAwaited ? Readable.from([]) : payload);
  });
});
