import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { languageCookie } from '../../../shared/i18n/language-choice.ts';
import { readShippedFile } from '../../lib/shipped-files.ts';
import { type Asset, sendAsset, toAsset } from './asset.ts';
import { type Brands, LOGO_PATH, STYLES_PATH } from './brands.ts';
import { isLanguage, LANGUAGE_PATH } from './page-language.ts';

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
/** The package that serves Swagger UI for Fastify: its files without its routes. */
const SWAGGER_UI = 'node_modules/@fastify/swagger-ui/static';
const FILES = [
  { url: '/assets/curt.css', file: 'server/web/views/assets/curt.css', type: CSS },
  { url: '/assets/home.css', file: 'server/web/views/assets/home.css', type: CSS },
  { url: '/assets/home.js', file: 'server/web/views/assets/home.js', type: JS },
  // It is TypeScript that is JavaScript, too.
  { url: '/assets/join-lines.js', file: 'shared/links/join-lines.ts', type: JS },
  { url: '/assets/copy-text.js', file: 'shared/ui/copy-text.js', type: JS },
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
export const PAGE_SEGMENTS = [
  'assets',
  'choose.language',
  'favicon.ico',
  'favicon.svg',
  'robots.txt',
];

/** Read once per process. */
let files: { url: string; asset: Asset }[] | undefined;

declare module 'fastify' {
  interface FastifyInstance {
    brands: Brands;
  }
}

/**
 * Serves the files that pages load. Those of all domains are read once at startup, so requests do not fail
 * when file descriptors run out.
 */
export const pages = fp(async (app: FastifyInstance, { brands }: { brands: Brands }) => {
  app.decorate('brands', brands);
  files ??= FILES.map(({ url, file, type }) => ({
    url,
    asset: toAsset(url, readShippedFile(file), type),
  }));
  for (const { url, asset } of files) {
    app.get(url, (request, reply) => sendAsset(asset, request, reply));
  }
  app.get(LANGUAGE_PATH, keepLanguage);
  // Browsers request this path even if a page names another icon.
  app.get('/favicon.ico', (request, reply) => reply.redirect(brands.ofHost(request.host).icon.url));
  for (const [path, name] of [
    [LOGO_PATH, 'logo'],
    [STYLES_PATH, 'styles'],
  ] as const) {
    app.get(path, (request, reply) => {
      const asset = brands.ofHost(request.host)[name];
      return asset ? sendAsset(asset, request, reply) : reply.callNotFound();
    });
  }
});

/** Works without JavaScript, and in pages whose origin is opaque. */
function keepLanguage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { lang, to } = request.query as { lang?: unknown; to?: unknown };
  if (isLanguage(lang)) reply.header('set-cookie', languageCookie(lang));
  return reply.header('cache-control', 'no-store').redirect(ownPath(to));
}

/** A path of this host, without the language in its query, which would win over the choice. */
function ownPath(to: unknown): string {
  const origin = 'http://own.invalid';
  const url = typeof to === 'string' ? URL.parse(to, origin) : null;
  if (url?.origin !== origin) return '/';
  url.searchParams.delete('lang');
  // Several slashes at the start would name another host.
  return url.pathname.replace(/^\/+/, '/') + url.search;
}
