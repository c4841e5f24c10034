import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Brand } from '../../domains/brand/brand.ts';
import { readShippedFile } from '../../lib/shipped-files.ts';
import { isCurrent } from '../http/etag.ts';

const ASSET_MAX_AGE_SECONDS = 60 * 60;

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
/** The package that serves Swagger UI for Fastify: its files without its routes. */
const SWAGGER_UI = 'node_modules/@fastify/swagger-ui/static';
const FILES = [
  { url: '/assets/curt.css', file: 'server/web/views/assets/curt.css', type: CSS },
  { url: '/assets/home.css', file: 'server/web/views/assets/home.css', type: CSS },
  { url: '/assets/home.js', file: 'server/web/views/assets/home.js', type: JS },
  { url: '/assets/preview.js', file: 'server/web/views/assets/preview.js', type: JS },
  {
    url: '/assets/api-reference.css',
    file: 'server/web/views/assets/api-reference.css',
    type: CSS,
  },
  { url: '/assets/api-reference.js', file: 'server/web/views/assets/api-reference.js', type: JS },
  { url: '/assets/swagger-ui.css', file: `${SWAGGER_UI}/swagger-ui.css`, type: CSS },
  { url: '/assets/swagger-ui.js', file: `${SWAGGER_UI}/swagger-ui-bundle.js`, type: JS },
  // The style sheet and icon that the extension uses, too.
  { url: '/assets/tokens.css', file: 'shared/tokens.css', type: CSS },
  { url: '/favicon.svg', file: 'shared/icon.svg', type: 'image/svg+xml' },
  {
    url: '/robots.txt',
    file: 'server/web/views/assets/robots.txt',
    type: 'text/plain; charset=utf-8',
  },
];

/** The first path segments that this plugin serves. None of them may be available as an alias. */
export const PAGE_SEGMENTS = ['assets', 'favicon.ico', 'favicon.svg', 'robots.txt'];

/** What the layout of pages shows of the operator's brand. */
type ShownBrand = {
  name: string;
  icon: { url: string; type: string };
  stylesUrl: string | undefined;
};

declare module 'fastify' {
  interface FastifyInstance {
    brand: ShownBrand;
  }
}

/** An SVG that is opened as a page of its own runs nothing and loads nothing. */
const LOGO_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/**
 * Serves the files that pages load. They are read once at startup, so requests do not fail when file
 * descriptors run out.
 */
export const pages = fp(async (app: FastifyInstance, { brand }: { brand: Brand }) => {
  for (const { url, file, type } of FILES) serve(app, url, readShippedFile(file), type);
  // Browsers request this path even if a page names another icon.
  app.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 301));

  const { name, logo, styles } = brand;
  app.decorate('brand', {
    name,
    icon: logo
      ? {
          url: serve(app, '/assets/brand-logo', logo.content, logo.type, LOGO_POLICY),
          type: logo.type,
        }
      : { url: '/favicon.svg', type: 'image/svg+xml' },
    stylesUrl:
      styles === undefined ? undefined : serve(app, '/assets/brand.css', Buffer.from(styles), CSS),
  });
});

/** @returns the URL of this version of the file */
function serve(
  app: FastifyInstance,
  url: string,
  content: Buffer,
  type: string,
  policy?: string,
): string {
  const hash = createHash('sha256').update(content).digest('base64url');
  const etag = `"${hash}"`;
  app.get(url, (request, reply) => {
    reply.headers({
      etag,
      'cache-control': `public, max-age=${ASSET_MAX_AGE_SECONDS}`,
      'x-content-type-options': 'nosniff',
      ...(policy && { 'content-security-policy': policy }),
    });
    if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
  return `${url}?v=${hash.slice(0, 8)}`;
}
