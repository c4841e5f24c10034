import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { languageCookie } from '../../../shared/i18n/language-choice.ts';
import { type Brand, brandOf } from '../../domains/brand.ts';
import type { Domains } from '../../domains/short-domains.ts';
import { readShippedFile, VERSION } from '../../lib/shipped-files.ts';
import type { DomainSettings } from '../../store/stored-domains.ts';
import { isLanguage, LANGUAGE_PATH } from './translator.ts';

const ASSET_MAX_AGE_SECONDS = 60 * 60;

/** A file that pages load. */
export type Asset = {
  content: Buffer;
  type: string;
  etag: string;
  /** The URL of this version of the file. */
  url: string;
  headers: Record<string, string>;
};

/** @param policy what it may do as a page of its own */
export function toAsset(path: string, content: Buffer, type: string, policy?: string): Asset {
  const hash = createHash('sha256').update(content).digest('base64url');
  return {
    content,
    type,
    etag: `"${hash}"`,
    url: `${path}?v=${hash.slice(0, 8)}`,
    headers: policy === undefined ? {} : { 'content-security-policy': policy },
  };
}

/** Sends a file, which is cached only at a URL of this version: another server may send the same URL with other content. */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply) {
  const { v } = request.query as { v?: unknown };
  const isThisVersion = v === VERSION || request.url === asset.url;
  reply.headers({
    etag: asset.etag,
    'cache-control': isThisVersion ? `public, max-age=${ASSET_MAX_AGE_SECONDS}` : 'no-cache',
    'x-content-type-options': 'nosniff',
    ...asset.headers,
  });
  if (isCurrent(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
  return reply.type(asset.type).send(asset.content);
}

/** Returns a strong ETag for a response that is fully determined by these values. */
export function etagOf(...values: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
}

/**
 * Whether the client already has the current response, so that 304 is sufficient.
 *
 * @see RFC 9110, section 13.1.2, which requires the weak comparison
 *
 * @param ifNoneMatch value of the header: `*` or a list of ETags
 */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((value) => value.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}

export const LOGO_PATH = '/assets/brand-logo';
export const STYLES_PATH = '/assets/brand.css';
/** An SVG that is opened as a page of its own runs nothing and loads nothing. */
const LOGO_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** What the layout of pages shows of a brand. */
export type ShownBrand = {
  name: string;
  icon: { url: string; type: string };
  stylesUrl: string | undefined;
  /** The files that it names. */
  logo: Asset | undefined;
  styles: Asset | undefined;
};

/** The brand of the server, and those of its domains. */
export class Brands {
  readonly server: ShownBrand;
  readonly #brand: Brand;
  readonly #domains: Domains;
  readonly #onWarning: (message: string) => void;
  readonly #known = new WeakMap<DomainSettings, ShownBrand>();

  constructor(brand: Brand, domains: Domains, onWarning: (message: string) => void) {
    this.#brand = brand;
    this.#domains = domains;
    this.#onWarning = onWarning;
    this.server = toShown(brand);
  }

  /** @param host of a request */
  ofHost(host: string): ShownBrand {
    const { settings, host: domain } = this.#domains.ofHost(host);
    if (!settings.brand) return this.server;
    let shown = this.#known.get(settings);
    if (!shown) {
      // A rule may have changed since it was set.
      const brand = brandOf(settings.brand, this.#brand, ({ part, message }) =>
        this.#onWarning(`The ${part} of the domain ${domain} is not used: ${message}`),
      );
      shown = toShown(brand);
      this.#known.set(settings, shown);
    }
    return shown;
  }
}

function toShown({ name, logo, styles }: Brand): ShownBrand {
  const icon = logo && toAsset(LOGO_PATH, logo.content, logo.type, LOGO_POLICY);
  const sheet =
    styles === undefined
      ? undefined
      : toAsset(STYLES_PATH, Buffer.from(styles), 'text/css; charset=utf-8');
  return {
    name,
    icon: icon
      ? { url: icon.url, type: icon.type }
      : { url: '/favicon.svg', type: 'image/svg+xml' },
    stylesUrl: sheet?.url,
    logo: icon,
    styles: sheet,
  };
}

const CSS = 'text/css; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
/** The package that serves Swagger UI for Fastify: its files without its routes. */
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui'));
const FILES = [
  { url: '/assets/curt.css', file: 'server/web/views/assets/curt.css', type: CSS },
  { url: '/assets/home.css', file: 'server/web/views/assets/home.css', type: CSS },
  {
    url: '/assets/statistics.css',
    file: 'server/web/views/assets/statistics.css',
    type: CSS,
  },
  { url: '/assets/home.js', file: 'server/web/views/assets/home.js', type: JS },
  // TypeScript that is JavaScript, too; in the package, JavaScript as this file is.
  {
    url: '/assets/join-lines.js',
    file: `shared/links/join-lines${extname(import.meta.filename)}`,
    type: JS,
  },
  { url: '/assets/copy-text.js', file: 'shared/ui/copy-text.js', type: JS },
  { url: '/assets/once.js', file: 'server/web/views/assets/once.js', type: JS },
  { url: '/assets/local-times.js', file: 'server/web/views/assets/local-times.js', type: JS },
  { url: '/assets/preview.js', file: 'server/web/views/assets/preview.js', type: JS },
  {
    url: '/assets/api-reference.css',
    file: 'server/web/views/assets/api-reference.css',
    type: CSS,
  },
  { url: '/assets/api-reference.js', file: 'server/web/views/assets/api-reference.js', type: JS },
  { url: '/assets/swagger-ui.css', file: `${SWAGGER_UI}/static/swagger-ui.css`, type: CSS },
  { url: '/assets/swagger-ui.js', file: `${SWAGGER_UI}/static/swagger-ui-bundle.js`, type: JS },
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
let files: Map<string, Asset> | undefined;

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
  files ??= new Map(
    FILES.map(({ url, file, type }) => [url, toAsset(url, readShippedFile(file), type)]),
  );
  const assets = files;
  const send = (request: FastifyRequest, reply: FastifyReply, asset: Asset | undefined) =>
    asset ? sendAsset(asset, request, reply) : reply.callNotFound();
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const path = `/assets/${request.params.name}`;
    const brand = brands.ofHost(request.host);
    if (path === LOGO_PATH) return send(request, reply, brand.logo);
    if (path === STYLES_PATH) return send(request, reply, brand.styles);
    return send(request, reply, assets.get(path));
  });
  for (const url of ['/favicon.svg', '/robots.txt']) {
    app.get(url, (request, reply) => send(request, reply, assets.get(url)));
  }
  app.get(LANGUAGE_PATH, keepLanguage);
  // Browsers request this path even if a page names another icon.
  app.get('/favicon.ico', (request, reply) => reply.redirect(brands.ofHost(request.host).icon.url));
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
