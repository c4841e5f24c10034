import { Eta } from 'eta/core';
import type { FastifyReply } from 'fastify';
import { readShippedFile, VERSION } from '../../lib/shipped-files.ts';
import type { Translator } from './translator.ts';
import { addVary, languageLinks, translatorFor } from './translator.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The settings `REPORTS` and `REPORT_URL`. */
    reporting: Reporting;
  }
}

export type ErrorText = {
  title: string;
  text: string;
  /** Milliseconds since the epoch, of the time in the text. */
  time?: number;
  /** To copy, below the text. */
  shortUrl?: string | undefined;
  /** For errors that only faulty clients cause: the error's own message, in English. */
  message?: string;
  /** Whether repeating the request with GET may help. */
  canRetry?: boolean;
};

/** What the page of an error shows. */
type ErrorPage = ErrorText & {
  /** After how many seconds the browser loads the page again, if it does. */
  refreshSeconds?: number | undefined;
};

/**
 * Sends a page of `server/web/views/templates/` in the visitor's language. Templates escape all values.
 *
 * @param data available in the template as `it`, along with `it.texts` (a `Translator`), `it.brand`,
 * `it.version` and `it.nonce`
 */
export async function sendPage<T extends Template>(
  reply: FastifyReply,
  template: T,
  data: T extends 'error' ? ErrorPage : object,
  policy: PagePolicy = {},
): Promise<FastifyReply> {
  const texts = translatorFor(reply.request);
  // With no-referrer, browsers send "Origin: null" with a form.
  const referrerPolicy = policy.hasOwnForm ? 'same-origin' : 'no-referrer';
  const html = eta.render(`@${template}`, {
    ...data,
    texts,
    languages: languageLinks(reply.request),
    brand: reply.server.brands.ofHost(reply.request.host),
    reportHref: reportHref(template, reply.request.url, reply.server.reporting, texts),
    version: VERSION,
    nonce: policy.nonce,
    referrerPolicy,
  });
  reply.headers(HEADERS).headers({
    'content-security-policy': contentSecurityPolicy(policy),
    'referrer-policy': referrerPolicy,
  });
  addVary(reply, 'Accept-Language');
  reply.header('content-language', texts.language);
  return reply.type('text/html; charset=utf-8').send(html);
}

/** What a page may do beyond the minimum. */
type PagePolicy = {
  /** Its form may lead to any address with these schemes: Chromium applies `form-action` to redirects, too. */
  formSchemes?: string[];
  /** Its form is for this origin, which must see where it comes from. Without `formSchemes`, it leads nowhere else. */
  hasOwnForm?: boolean;
  /** It runs a tag-manager container: scripts with this nonce, and scripts that those load. */
  nonce?: string;
  /** It has an opaque origin: its scripts cannot access other pages of the short domain. */
  isSandboxed?: boolean;
  /** It shows the API reference, which it loads, with icons that are part of its style sheet. */
  isReference?: boolean;
};

/**
 * The sandbox of a container page. Without `allow-same-origin`, its origin is opaque. Frames that tags
 * open may navigate the page only after a click. Downloads are allowed because a target may be one.
 * Popups stay in the sandbox: an empty popup outside it would share the page's origin and could undo
 * `lockAddress` in preview.js.
 */
const SANDBOX = [
  'sandbox',
  'allow-scripts',
  'allow-popups',
  'allow-top-navigation-by-user-activation',
  'allow-downloads',
].join(' ');

const HEADERS = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** See docs/api.md, "Visit a short link". */
function contentSecurityPolicy({
  formSchemes,
  hasOwnForm = false,
  nonce,
  isSandboxed = false,
  isReference = false,
}: PagePolicy): string {
  const loads =
    nonce === undefined
      ? ["script-src 'self'", `img-src 'self'${isReference ? ' data:' : ''}`]
      : [
          `script-src 'nonce-${nonce}' 'strict-dynamic'`,
          "img-src 'self' https:",
          'connect-src https:',
          'frame-src https:',
        ];
  const formSources = formSchemes
    ? ["'self'", ...formSchemes.map((scheme) => `${scheme}:`)].join(' ')
    : hasOwnForm
      ? "'self'"
      : "'none'";
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...loads,
    ...(isReference ? ["connect-src 'self'"] : []),
    `form-action ${formSources}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isSandboxed ? [SANDBOX] : []),
  ].join('; ');
}

const PAGES = [
  'api-reference',
  'card',
  'created',
  'domain',
  'error',
  'home',
  'inspect',
  'password',
  'preview',
  'report-form',
  'statistics',
] as const;
type Template = (typeof PAGES)[number];

/** All templates, compiled at startup. */
const eta = new Eta({ autoEscape: true });
for (const name of ['layout', 'home-form', 'append', ...PAGES]) {
  eta.loadTemplate(
    `@${name}`,
    readShippedFile(`server/web/views/templates/${name}.eta`).toString(),
  );
}

type Reporting = {
  /** Whether Curt has a form, see `server/routes/visit/report-form.ts`. */
  reports: boolean;
  reportUrl?: string | undefined;
};

/** Pages that show where a link goes, or why it does not. */
const REPORTABLE: Template[] = ['preview', 'inspect', 'error'];

/**
 * The address of "Report this link" on a page, if it has one. A mail gets the link as its subject; another
 * page has to ask for it. The form is for links that go somewhere, so the pages of errors don't lead to it.
 *
 * @param path of the request, such as `/launch+`
 */
function reportHref(
  template: Template,
  path: string,
  { reports, reportUrl }: Reporting,
  texts: Translator,
): string | undefined {
  if (!REPORTABLE.includes(template)) return undefined;
  const [, alias = ''] = /^\/([^/?+]*)/.exec(path) ?? [];
  if (reports) return template === 'error' ? undefined : `/${alias}/report`;
  if (reportUrl === undefined) return undefined;
  if (!/^mailto:/i.test(reportUrl) || /[?&]subject=/i.test(reportUrl)) return reportUrl;
  const separator = reportUrl.includes('?') ? '&' : '?';
  return `${reportUrl}${separator}subject=${encodeURIComponent(texts.t('visit_report_subject', `/${alias}`))}`;
}
