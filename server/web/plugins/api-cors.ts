import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** As in the setting `CORS_ORIGINS`. */
export type AllowedOrigins = readonly (string | RegExp)[];

const EXTENSION_ORIGIN = /^(chrome|moz)-extension:\/\//;
const PREFLIGHT_SECONDS = 86_400;
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Quota-Reset',
].join(', ');

/** Whether pages of this origin may call the API: extensions, and the origins in `CORS_ORIGINS`. */
export function isAllowedOrigin(origin: string, allowed: AllowedOrigins): boolean {
  return [EXTENSION_ORIGIN, ...allowed].some((one) =>
    typeof one === 'string' ? one === origin : one.test(origin),
  );
}

/**
 * Allows browser extensions and the origins in `CORS_ORIGINS` to call the API from a page. This is why
 * the extension needs no host permission.
 *
 * @see docs/api.md, "Call the API from a web page"
 */
export const apiCors = fp(
  async (app: FastifyInstance, { origins }: { origins: AllowedOrigins }) => {
    app.addHook('onRequest', ({ headers: { origin } }, reply, done) => {
      reply.header('vary', 'Origin');
      if (origin !== undefined && isAllowedOrigin(origin, origins)) {
        reply.header('access-control-allow-origin', origin);
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      }
      done();
    });

    // Has a context of its own, since its hook would make every call cost more.
    await app.register(async (preflight) => {
      await preflight.register(cors, {
        origin: [EXTENSION_ORIGIN, ...origins],
        methods: ['GET', 'POST', 'PATCH', 'DELETE'],
        // No `allowedHeaders`: an allowed origin may send those that it asks for. Tracing adds its own.
        maxAge: PREFLIGHT_SECONDS,
        strictPreflight: false,
      });
      // The prefix itself is no path of the plugin's. Its hook answers there, too.
      preflight.options('/', { prefixTrailingSlash: 'no-slash' }, (_request, reply) =>
        reply.send(),
      );
    });
  },
);
