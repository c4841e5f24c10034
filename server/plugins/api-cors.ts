import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

const EXTENSION_ORIGIN = /^(chrome|moz)-extension:\/\//;
const PREFLIGHT_SECONDS = 86_400;

/** Whether pages of this origin may call the API: extensions, and the origins in `CORS_ORIGINS`. */
export function isAllowedOrigin(origin: string, allowedOrigins: string[]): boolean {
  return EXTENSION_ORIGIN.test(origin) || allowedOrigins.includes(origin);
}

/**
 * Lets browser extensions and the origins of the settings call the API from a page, and nobody
 * else: that is what lets the extension hold no host permission.
 * Source: contract, "CORS".
 */
export const apiCors = fp(async (app: FastifyInstance, { origins }: { origins: string[] }) => {
  await app.register(cors, {
    origin: [EXTENSION_ORIGIN, ...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: [
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Quota-Limit',
      'X-Quota-Remaining',
      'X-Quota-Reset',
    ],
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
});
