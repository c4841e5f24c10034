import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../lib/service-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON bodies as strict UTF-8. Otherwise invalid bytes would become replacement characters. */
export const strictJson = fp(async (app: FastifyInstance) => {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      // Some clients send the Content-Type with every request.
      const isExpected = request.routeOptions.config.endpoint?.body !== undefined;
      if (body.length === 0 && !isExpected) return done(null, undefined);
      let value: unknown;
      try {
        // The schema rejects unknown keys, including `__proto__`, so the parser does not have to check them.
        value = JSON.parse(utf8.decode(body));
      } catch (error) {
        const format = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
        done(new ServiceError('invalid_json', `The body is not valid ${format}.`));
        return;
      }
      done(null, value);
    },
  );
});
