import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { PlainKey } from '../../shared/i18n/translate.ts';
import type { Settings } from '../config.ts';
import type { Domains } from '../domains/short-domains.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { BuiltFile, BuiltFiles } from '../lib/shipped-files.ts';
import { onlyOnBaseUrl } from '../web/plugins/origins.ts';
import { etagOf, isCurrent, type ShownBrand } from '../web/views/assets.ts';
import { sendPage } from '../web/views/send-page.ts';
import { addVary, TRANSLATORS, translatorFor, type VisitKey } from '../web/views/translator.ts';

type DashboardOptions = { settings: Settings; domains: Domains; files: BuiltFiles | undefined };

/** The names of these files have a hash of their content. */
const HASHED = /^assets\//;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What browsers ask for to install the dashboard as an app. */
const MANIFEST = 'manifest.webmanifest';

/** The document of the administrator's pages, which have code of their own. */
const ADMIN_INDEX = 'admin/index.html';

/** No inline code, and nothing from other origins. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  // A page that opens the dashboard gets no handle to its window.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Accept-Encoding',
};

const NOT_BUILT =
  'The dashboard has not been built. Run "npm run build" in Curt’s folder and restart the server.';
const UNSANDBOXED =
  'This server runs containers outside the sandbox (CUSTOM_GTM=unsandboxed). They could read the tokens in the dashboard, so it is turned off.';

/**
 * `GET /dashboard` and everything below it: the files of the dashboard, and an HTML document for the paths
 * of its pages and another one for those of administrators.
 *
 * @see docs/dashboard.md
 */
export const dashboardRoutes = fp(
  async (app: FastifyInstance, { settings, domains, files: built }: DashboardOptions) => {
    await app.register(onlyOnBaseUrl, { domains });
    const files = built && withBrandInManifest(built, app.brands.server.name, settings);
    const index = withBrand(files?.get('index.html'), app.brands.server);
    if (settings.customGtm === 'unsandboxed' || !files || !index) {
      const message = settings.customGtm === 'unsandboxed' ? UNSANDBOXED : NOT_BUILT;
      const explain = (request: FastifyRequest, reply: FastifyReply) => {
        const texts = translatorFor(request);
        return sendPage(reply.code(404), 'error', {
          title: texts.t('visit_no_dashboard_title'),
          text: texts.t('visit_no_dashboard_text'),
          message,
        });
      };
      app.get('/dashboard', explain);
      app.get('/dashboard/*', explain);
      return;
    }

    const adminIndex = withBrand(files.get(ADMIN_INDEX), app.brands.server) ?? index;
    const documents = inEachLanguage(index, 'visit_no_script');
    const adminDocuments = inEachLanguage(adminIndex, 'visit_no_script_admin');
    const etags = new Map<BuiltFile, string>();
    for (const file of [...files.values(), ...documents.values(), ...adminDocuments.values()])
      etags.set(file, etagOf(file.content.toString('base64')));

    function send(path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
      const isDocument = path.endsWith('index.html') || !(files?.has(path) || HASHED.test(path));
      const inLanguages = /^admin(\/|$)/.test(path) ? adminDocuments : documents;
      const file = isDocument ? inLanguages.get(translatorFor(request).language) : files?.get(path);
      if (!file) throw new ServiceError('not_found', 'The dashboard has no such file.');
      const etag = etags.get(file) ?? '';
      reply.headers(HEADERS).headers({
        etag,
        'cache-control': HASHED.test(path)
          ? `public, max-age=${YEAR_SECONDS}, immutable`
          : 'no-cache',
      });
      if (isDocument) addVary(reply, 'Accept-Language');
      if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return sendCompressed(file, request, reply.type(file.type));
    }

    app.get('/dashboard', (request, reply) => send('index.html', request, reply));
    app.get<{ Params: { '*': string } }>('/dashboard/*', (request, reply) =>
      send(request.params['*'], request, reply),
    );
  },
  { encapsulate: true },
);

function withBrandInManifest(
  files: BuiltFiles,
  name: string,
  { brandColor: [color] }: Pick<Settings, 'brandColor'>,
): BuiltFiles {
  const file = files.get(MANIFEST);
  if (!file) return files;
  const theme = color === undefined ? {} : { theme_color: color };
  const manifest = { ...JSON.parse(file.content.toString()), name, short_name: name, ...theme };
  return new Map([...files, [MANIFEST, changedFile(file, JSON.stringify(manifest))]]);
}

/** Adds the operator's name and logo, and the style sheet with the color after the dashboard's own. */
function withBrand(
  index: BuiltFile | undefined,
  { name, icon, stylesUrl }: ShownBrand,
): BuiltFile | undefined {
  if (!index) return index;
  const original = index.content.toString();
  const styles = stylesUrl === undefined ? '' : `  <link rel="stylesheet" href="${stylesUrl}">\n  `;
  const html = original
    .replace(/<title>.*<\/title>/, () => `<title>${escapeText(name)}</title>`)
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon.url}" type="${icon.type}">`)
    .replace('</head>', `${styles}</head>`);
  return html === original ? index : changedFile(index, html);
}

/** A document by language, with what it says to browsers without JavaScript. */
function inEachLanguage(document: BuiltFile, key: VisitKey & PlainKey): Map<string, BuiltFile> {
  const html = document.content.toString();
  return new Map(
    [...TRANSLATORS].map(([language, texts]) => {
      const text = escapeText(texts.t(key));
      const content = key === 'visit_no_script' ? `<a href="/">${text}</a>` : text;
      const paragraph = `<p lang="${language}" dir="${texts.direction}">${content}</p>`;
      const translated = html.replace(/(?<=<noscript>)(?=<\/noscript>)/, () => paragraph);
      return [language, translated === html ? document : changedFile(document, translated)];
    }),
  );
}

/** A file with another text. It loses its compressed copies, which lack the change: these files are small. */
function changedFile({ type }: BuiltFile, text: string): BuiltFile {
  return { type, content: Buffer.from(text), br: undefined, gzip: undefined };
}

function escapeText(text: string): string {
  return text.replace(/[&<]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function sendCompressed(
  { content, br, gzip }: BuiltFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // One by one: browsers name gzip first, but br is smaller.
  const accepts = (encoding: string) => request.accepts().encoding([encoding]) === encoding;
  if (br && accepts('br')) return reply.header('content-encoding', 'br').send(br);
  if (gzip && accepts('gzip')) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(content);
}
