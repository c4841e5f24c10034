import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../core/service-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads JSON bodies as UTF-8 and nothing else: broken bytes would be kept as replacement characters. */
export const strictJson = fp(async (app: FastifyInstance) => {
  // The schema knows every key, `__proto__` as well: nothing has to look for it before.
  const parse = app.getDefaultJsonParser('ignore', 'ignore');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      let text: string;
      try {
        text = utf8.decode(body);
      } catch {
        done(new ServiceError('invalid_json', 'The body is not valid UTF-8.'));
        return;
      }
      parse(request, text, done);
    },
  );
});
