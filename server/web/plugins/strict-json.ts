import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { assertJsonBody } from '../http/json-body.ts';
import { parseJson } from '../http/parse-json.ts';

/**
 * Parses all bodies as JSON. Clients send a `Content-Type` with calls that have no body, too, and it
 * may be any; whether there is a body is known only once it has been read.
 */
export const strictJson = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      const isExpected = request.routeOptions.config.endpoint?.body !== undefined;
      if (body.length === 0 && !isExpected) return done(null, undefined);
      assertJsonBody(request.headers);
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
});
