import { randomUUID } from 'node:crypto';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { formatTokenText } from '../../shared/accounts/token-text.ts';
import { readTypedUrl } from '../../shared/links/url-in-text.ts';
import { createSignInCode } from '../accounts/sign-in-codes.ts';
import { hashToken } from '../accounts/tokens.ts';
import type { Settings } from '../config.ts';
import type { Domains } from '../domains/short-domains.ts';
import { displayHost } from '../lib/host-name.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { Clock } from '../lib/time.ts';
import type { CreatedLink, Shortener } from '../links/create-link.ts';
import { isRandomUuid } from '../links/idempotency.ts';
import { qrSvg } from '../links/qr-code.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Store } from '../store/store.ts';
import type { ShortenLimit } from '../web/plugins/endpoint.ts';
import { toFormError } from '../web/plugins/errors.ts';
import { identifyCaller } from '../web/plugins/identify-caller.ts';
import { onlyOwnForms } from '../web/plugins/origins.ts';
import { assertContentType } from '../web/plugins/request-bodies.ts';
import { errorText } from '../web/views/error-page.ts';
import { sendPage } from '../web/views/send-page.ts';
import { translatorFor } from '../web/views/translator.ts';
import { shortenRequestParser } from './api/create-links.ts';
import { createCreatedResults } from './created-results.ts';

/** The longest URL, with every character percent-encoded. */
const FORM_MAX_BYTES = 64 * 1024;

/**
 * A form that is sent again after a lost response gets the account's key for this long only: the browser
 * of a shared computer may still have the form hours later.
 */
const KEY_SHOWN_MS = 5 * 60_000;

type HomeOptions = {
  settings: Pick<Settings, 'anonymous'>;
  store: Store;
  domains: Domains;
  shorten: Shortener;
  limit: ShortenLimit;
  traffic: Traffic;
  hasDashboard: boolean;
  secret: Buffer;
  clock: Clock;
  randomBytes: RandomBytes;
};

type FormIssue = { issue: string; isIssueEnglish: boolean };

type ShownForm = { typed?: string; requestId?: string } & Partial<FormIssue>;

type Form = { originalUrl?: unknown; requestId?: unknown };

/**
 * `GET /`: on another domain than that of `BASE_URL`, its own page. Otherwise says what this server is, with a form for a URL. `POST /`: shortens it like a call of
 * `POST /api/shorten` without a token, with the same limits and errors, and redirects to a page with the
 * short link and the new account's token. Works without JavaScript.
 */
export const homeRoutes = fp(
  async (
    app: FastifyInstance,
    {
      settings,
      store,
      domains,
      shorten,
      limit,
      traffic,
      hasDashboard,
      secret,
      clock,
      randomBytes,
    }: HomeOptions,
  ) => {
    const { anonymous } = settings;
    const results = createCreatedResults({ secret, clock });
    /** Known once the server listens. */
    const firstHost = () => displayHost(domains.first.host);

    /** The account's key in all forms, and addresses that sign in without having it. */
    async function keyOf(baseUrl: string, authToken: string) {
      const key = { authToken, tokenText: formatTokenText(baseUrl, authToken) };
      const owner = hasDashboard ? await store.findToken(hashToken(authToken)) : undefined;
      if (!owner) return key;
      const { account, token } = owner;
      const by = { kind: 'token', tokenHash: token.tokenHash, access: 'all' } as const;
      const newPath = async () => {
        const call = { accountId: account.id, by, token };
        const { code } = await createSignInCode(call, { store, clock, randomBytes });
        return `/dashboard#code=${code}`;
      };
      const qrCode = await qrSvg(`${baseUrl}${await newPath()}`);
      return { ...key, signInPath: await newPath(), qrCode };
    }

    function sendHome(reply: FastifyReply, form: ShownForm = {}) {
      const server = { host: firstHost(), anonymous, hasDashboard };
      const data = { ...server, requestId: randomUUID(), ...form };
      return sendPage(reply, 'home', data, { hasOwnForm: true });
    }

    /** @param isOwn whether the form has led here */
    async function sendCreated(reply: FastifyReply, sealed: string, isOwn: boolean) {
      const result = results.open(sealed, isOwn);
      const link = result && (await store.findLink(result.alias));
      if (!link || link.deletedAt !== null) return sendHome(reply);
      const { authToken } = result;
      const { baseUrl } = domains.first;
      const { originalUrl } = link;
      const shortUrl = domains.shortUrl(link.alias);
      const page = { host: firstHost(), shortUrl, originalUrl, hasDashboard };
      const key = authToken === undefined ? {} : await keyOf(baseUrl, authToken);
      if (authToken !== undefined) {
        const takeBack = () => results.takeBack(sealed);
        reply.raw.once('close', takeBack).once('finish', () => reply.raw.off('close', takeBack));
        // Not 200: Chromium would keep the page for who comes back to it, despite no-store.
        reply.code(201);
      }
      return sendPage(reply, 'created', { ...page, ...key });
    }

    app.get<{ Querystring: { created?: unknown } }>('/', (request, reply) => {
      const domain = domains.ofHost(request.host);
      const { created } = request.query;
      if (domain === domains.first) {
        // A HEAD request shows nothing, and must not use up the key.
        const isShown = typeof created === 'string' && request.method === 'GET';
        return isShown ? sendCreated(reply, created, isRedirectedForm(request)) : sendHome(reply);
      }
      if (domain.isRemoved) throw nothingHere();
      const { rootUrl } = domain.settings;
      if (rootUrl !== null) return reply.header('cache-control', 'no-cache').redirect(rootUrl);
      return sendPage(reply, 'domain', { host: displayHost(domain.host) });
    });

    await app.register(formbody);
    await app.register(identifyCaller, { store });
    const onlyOnFirstDomain: onRequestHookHandler = (request, _reply, done) =>
      done(domains.ofHost(request.host) === domains.first ? undefined : nothingHere());

    app.post<{ Body: Form | undefined }>('/', {
      bodyLimit: FORM_MAX_BYTES,
      onRequest: [onlyOnFirstDomain, onlyOwnForms(domains), limit.count],
      // A call meant for the API would otherwise create a link of a new account, without its options.
      preParsing: (request, _reply, _payload, done) => {
        assertContentType(
          request.headers,
          ['application/x-www-form-urlencoded'],
          'This is the form of the home page. Programs create links with POST /api/shorten.',
        );
        done();
      },
      errorHandler: (error, request, reply) => {
        const serviceError = toFormError(error, reply, traffic);
        return sendHome(reply, {
          typed: typedUrl(request.body),
          ...sameRequest(serviceError, request.body?.requestId),
          ...formIssue(serviceError, request),
        });
      },
      handler: async (request, reply) => {
        if (!anonymous) {
          throw new ServiceError(
            'token_required',
            'Creating links on this server requires an account. Ask its operator for a token.',
          );
        }
        const { address } = request.caller;
        const parsed = parseInput(shortenRequestParser, {
          originalUrl: readTypedUrl(typedUrl(request.body)),
        });
        const anybody = { kind: 'anonymous' } as const;
        const call = { request: parsed, caller: { ...anybody, address }, by: anybody };
        const { record, authToken } = await shortenOnce(
          (idempotencyKey) => shorten({ ...call, idempotencyKey }),
          request.body?.requestId,
        );
        const { alias, created } = record;
        const isOver = clock() - Date.parse(created) > KEY_SHOWN_MS;
        const sealed = results.seal({ alias, authToken: isOver ? undefined : authToken });
        // After a redirect, nothing would tell its page from an address that somebody else has sent.
        if (request.headers['sec-fetch-site'] === 'none') return sendCreated(reply, sealed, true);
        return reply.redirect(`/?created=${sealed}`, 303);
      },
    });
  },
  { encapsulate: true },
);

/**
 * Whether the form has led here, as far as the browser says it. Somebody else could send an address with the key of
 * an account of their own, to collect the links that are created in it.
 */
function isRedirectedForm({ headers: { 'sec-fetch-site': site } }: FastifyRequest): boolean {
  return site === undefined || site === 'same-origin';
}

function nothingHere(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this address.');
}

/** Shown with the form, in the page's language if there is a text for the error. */
function formIssue(error: ServiceError, request: FastifyRequest): FormIssue {
  const texts = translatorFor(request);
  const inLanguage = (issue: string) => ({ issue, isIssueEnglish: false });
  switch (error.code) {
    case 'invalid_request':
    case 'invalid_url':
      return inLanguage(texts.t('visit_form_invalid_url'));
    case 'cross_site':
      return inLanguage(texts.t('visit_cross_site_form'));
    case 'blocked_url':
      return inLanguage(texts.t('visit_form_blocked'));
    case 'token_required':
      return inLanguage(texts.t('visit_form_closed'));
    case 'account_limit':
      return inLanguage(texts.t('visit_form_account_limit'));
    case 'anonymous_limit':
      return inLanguage(texts.t('visit_form_anonymous_limit'));
    default: {
      const { text, message: english } = errorText(error, request);
      return english === undefined ? inLanguage(text) : { issue: english, isIssueEnglish: true };
    }
  }
}

function typedUrl(form: Form | undefined): string {
  return typeof form?.originalUrl === 'string' ? form.originalUrl : '';
}

/** The link may be there already, so sending the form again must not create a second one. */
function sameRequest({ code }: ServiceError, requestId: unknown): Pick<ShownForm, 'requestId'> {
  const mayExist = ['store_unavailable', 'internal'].includes(code);
  return mayExist && isRequestId(requestId) ? { requestId } : {};
}

function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && isRandomUuid(value);
}

/**
 * A form that is sent twice creates one link. Its id belongs to one URL: when the user goes back and
 * enters another one, that is a new request.
 */
async function shortenOnce(
  shorten: (idempotencyKey: string | undefined) => Promise<CreatedLink>,
  requestId: unknown,
): Promise<CreatedLink> {
  if (!isRequestId(requestId)) return shorten(undefined);
  try {
    return await shorten(requestId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'idempotency_mismatch') throw error;
    return shorten(undefined);
  }
}
