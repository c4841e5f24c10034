import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { readShippedFile } from '../core/shipped-files.ts';

const ASSET_MAX_AGE_SECONDS = 60 * 60;

const CSS = 'text/css; charset=utf-8';
const FILES = [
  { url: '/assets/curt.css', file: 'server/pages/assets/curt.css', type: CSS },
  {
    url: '/assets/preview.js',
    file: 'server/pages/assets/preview.js',
    type: 'text/javascript; charset=utf-8',
  },
  // The style sheet and the mark that the extension has as well.
  { url: '/assets/tokens.css', file: 'shared/tokens.css', type: CSS },
  { url: '/favicon.svg', file: 'shared/icon.svg', type: 'image/svg+xml' },
  // Where crawlers look for it.
  {
    url: '/robots.txt',
    file: 'server/pages/assets/robots.txt',
    type: 'text/plain; charset=utf-8',
  },
];

/** The first path segments that this plugin serves: none of them can be an alias. */
export const PAGE_SEGMENTS = ['assets', 'favicon.ico', 'favicon.svg', 'robots.txt'];

/**
 * The files that pages load. They are read once, at start: a request takes no file descriptor, so
 * none can fail for the lack of one.
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
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(type).send(content);
    });
  }
  // Where browsers look for the mark, whatever a page says.
  app.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 301));
});

/** A proxy that compresses makes the tag a weak one (RFC 9110, section 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
