import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { hasBody } from './request-bodies.ts';

/**
 * Ignores the `Content-Type` of a request without a body if the endpoint needs none: many clients send
 * one with each request.
 *
 * Elsewhere it decides what is answered. With `optimizeEmptyRequests` (`create-http-server.ts`), the
 * request has a stream that has already ended, whose end Fastify would wait for forever, so it gets an
 * empty stream instead.
 */
export const emptyBodies = fp(async (app: FastifyInstance) => {
  app.addHook('preParsing', ({ raw, headers, routeOptions }, _reply, payload, done) => {
    if (headers['content-type'] === undefined || hasBody(headers)) return done(null, payload);
    const { endpoint } = routeOptions.config;
    if (endpoint && !endpoint.body && !endpoint.otherBody) {
      delete headers['content-type'];
      return done(null, payload);
    }
    done(null, raw.readableEnded ? Readable.from([]) : payload);
  });
});
