import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * With `optimizeEmptyRequests` (`create-http-server.ts`), a request without a body has a stream that
 * has already ended. If there is a Content-Type, Fastify would wait for its end forever, so it gets an
 * empty stream instead.
 */
export const emptyBodies = fp(async (app: FastifyInstance) => {
  app.addHook('preParsing', ({ raw, headers }, _reply, payload, done) => {
    const isAwaited = headers['content-type'] !== undefined && raw.readableEnded;
    done(null, isAwaited ? Readable.from([]) : payload);
  });
});
