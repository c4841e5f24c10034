import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { readShippedFile } from '../core/shipped-files.ts';
import { isCurrent } from '../http/etag.ts';

const ASSET_MAX_AGE_SECONDS = 60 * 60;

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
/** The package that serves Swagger UI for Fastify: its files without its routes. */
const SWAGGER_UI = 'node_modules/@fastify/swagger-ui/static';
const FILES = [
  { url: '/assets/curt.css', file: 'server/pages/assets/curt.css', type: CSS },
  { url: '/assets/home.css', file: 'server/pages/assets/home.css', type: CSS },
  { url: '/assets/home.js', file: 'server/pages/assets/home.js', type: JS },
  { url: '/assets/preview.js', file: 'server/pages/assets/preview.js', type: JS },
  { url: '/assets/api-reference.css', file: 'server/pages/assets/api-reference.css', type: CSS },
  { url: '/assets/api-reference.js', file: 'server/pages/assets/api-reference.js', type: JS },
  { url: '/assets/swagger-ui.css', file: `${SWAGGER_UI}/swagger-ui.css`, type: CSS },
  { url: '/assets/swagger-ui.js', file: `${SWAGGER_UI}/swagger-ui-bundle.js`, type: JS },
  // The style sheet and icon that the extension uses, too.
  { url: '/assets/tokens.css', file: 'shared/tokens.css', type: CSS },
  { url: '/favicon.svg', file: 'shared/icon.svg', type: 'image/svg+xml' },
  {
    url: '/robots.txt',
    file: 'server/pages/assets/robots.txt',
    type: 'text/plain; charset=utf-8',
  },
];

/** The first path segments that this plugin serves. None of them may be available as an alias. */
export const PAGE_SEGMENTS = ['assets', 'favicon.ico', 'favicon.svg', 'robots.txt'];

/**
 * Serves the files that pages load. They are read once at startup, so requests do not fail when file
 * descriptors run out.
 */
export const pages = fp(async (app: FastifyInstance) => {
  for (const { url, file, type } of FILES) {
    const content = readShippedFile(file);
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    app.get(url, (request, reply) => {
      reply.headers({
        etag,
        'cache-control': `public, max-age=${ASSET_MAX_AGE_SECONDS}`,
        'x-content-type-options': 'nosniff',
      });
      if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(type).send(content);
    });
  }
  // Browsers request this path even if a page names another icon.
  app.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 301));
});
