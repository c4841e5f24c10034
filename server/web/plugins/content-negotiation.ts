import accepts from '@fastify/accepts';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** Browsers send less, even with many languages. It has at most half as many entries. */
const MAX_CHARACTERS = 500;
const HEADERS = ['accept', 'accept-encoding', 'accept-language'] as const;

/**
 * Adds `request.accepts()`. Longer headers are ignored, as RFC 9110 (section 12.4) allows: comparing thousands
 * of entries would take milliseconds.
 */
export const contentNegotiation = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    for (const name of HEADERS) {
      if ((headers[name]?.length ?? 0) > MAX_CHARACTERS) delete headers[name];
    }
    done();
  });
  await app.register(accepts);
});
