import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Passwords } from '../../accounts/passwords.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import type { Settings } from '../../config.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { UnnamedProxy } from '../../limits/client-address.ts';
import type { GuessedLinks, StatisticsRate } from '../../limits/client-limits.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Link } from '../../store/link.ts';
import { checkGoLink, visitedPath } from '../../visits/go-link.ts';
import {
  createLinkFinder,
  type LinkFinder,
  type UnknownThrottle,
  WITH_PUBLIC_STATISTICS,
} from '../../visits/link-finder.ts';
import { createPasswordGate } from '../../visits/password-gate.ts';
import {
  maySeeTarget,
  type RedirectDependencies,
  recordPageView,
  redirectTarget,
} from '../../visits/redirect-target.ts';
import {
  isPrefetch,
  opensBrowser,
  passesQuery,
  showsPreview,
  splitGoQuery,
  type Visit,
} from '../../visits/visit.ts';
import { wantsJson } from '../../web/plugins/errors.ts';
import { isAllowedOrigin, onlyOwnForms } from '../../web/plugins/origins.ts';
import { addVary } from '../../web/views/translator.ts';
import {
  needsPreview,
  type PreviewDependencies,
  sendCardPage,
  sendInspectPage,
  sendPasswordPage,
  sendPreviewPage,
} from './link-pages.ts';
import { publicStatisticsRoute } from './public-statistics.ts';
import { qrRoutes } from './qr.ts';
import { addGoneFallback, readVisit, type SentLog, sendRedirect } from './redirects.ts';
import { reportFormRoutes } from './report-form.ts';

type ShortLinkDependencies = PreviewDependencies &
  RedirectDependencies & {
    passwords: Passwords;
    guessedLinks: GuessedLinks;
    requestLog: SentLog;
    limits: Limits;
  };

type Dependencies = ShortLinkDependencies & {
  settings: Pick<Settings, 'corsOrigins' | 'reports' | 'statistics'>;
  blocks: BlockList;
  statisticsRate: StatisticsRate;
  traffic: Traffic;
};

/** A password of 128 four-byte characters, percent-encoded, takes 1.5 KiB. */
const FORM_MAX_BYTES = 4096;

/** Routes for visitors: all paths that start with an alias. */
export const visitRoutes = fp(
  async (
    app: FastifyInstance,
    { throttle, ...dependencies }: Dependencies & { throttle: UnknownThrottle },
  ) => {
    const proxy = new UnnamedProxy();
    const findLink = createLinkFinder(dependencies, throttle, proxy);
    allowOrigins(app, dependencies.settings.corsOrigins);
    await app.register(formbody, { bodyLimit: FORM_MAX_BYTES });
    await app.register(shortLinkRoutes, { ...dependencies, findLink });
    await qrRoutes(app, { ...dependencies, findLink });
    await publicStatisticsRoute(app, {
      ...dependencies,
      findLink: createLinkFinder(dependencies, throttle, proxy, WITH_PUBLIC_STATISTICS),
    });
    if (dependencies.settings.reports) {
      await reportFormRoutes(app, { ...dependencies, findLink });
    }
  },
  { encapsulate: true },
);

/** Lets pages of `CORS_ORIGINS` follow a redirect with `fetch`. Most servers have none, and no hook. */
function allowOrigins(app: FastifyInstance, origins: Settings['corsOrigins']): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', ({ headers: { origin } }, reply, done) => {
    const isAllowed = origin !== undefined && isAllowedOrigin(origin, origins);
    const headers = { vary: 'Origin', ...(isAllowed && { 'access-control-allow-origin': origin }) };
    reply.headers(headers);
    // Redirects are not sent by Fastify's reply.
    for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
    done();
  });
}

type VisitRoute = { Params: { alias: string }; Body: { password?: unknown } | null | undefined };

/**
 * `GET` and `POST /<alias>` and `/<alias>+`; a POST sends the password. The `+` is part of the
 * parameter, because it is special in route patterns. And `/<alias>/go`, which pages lead to.
 *
 * @see docs/api.md, "Visit a short link"
 */
const shortLinkRoutes = fp(
  async (app: FastifyInstance, dependencies: ShortLinkDependencies & { findLink: LinkFinder }) => {
    const { findLink, limits } = dependencies;
    const knowsPassword = createPasswordGate(dependencies, limits);
    addGoneFallback(app);
    addGoLinkRoute(app, dependencies);

    // Not async, so that a visit whose link is in memory is answered at once.
    app.get<VisitRoute>('/:alias', (request, reply) => {
      const { alias, inspects } = readAlias(request.params.alias);
      const visit = readVisit(request, { alias });
      const link = findLink(visit);
      return link instanceof Promise
        ? link.then((found) => show(visit, reply, found, inspects))
        : show(visit, reply, link, inspects);
    });

    function show(
      visit: Visit,
      reply: FastifyReply,
      link: Link,
      inspects: boolean,
    ): undefined | Promise<unknown> {
      const isPreviewed = link.passwordHash === null && showsPreview(visit);
      const card = isPreviewed ? (link.card ?? (opensBrowser(visit) ? {} : null)) : null;
      const needsPage = link.passwordHash !== null || needsPreview(link, dependencies);
      if ((needsPage || card) && !inspects) recordPageView(visit, link, dependencies);
      if (link.passwordHash !== null) {
        return sendPasswordPage(reply, visit, link, dependencies, { inspects });
      }
      if (inspects) return sendInspectPage(reply, visit, link, dependencies);
      if (card) return sendCardPage(reply, link, card, dependencies);
      if (needsPage) return sendPreviewPage(reply, visit, link, dependencies);
      return redirect(visit, reply, link, dependencies);
    }

    const onRequest = onlyOwnForms(dependencies.domains);
    app.post<VisitRoute>('/:alias', { onRequest }, async (request, reply) => {
      const { alias, inspects } = readAlias(request.params.alias);
      const visit = readVisit(request, { alias });
      const link = await findLink(visit);
      if (!(await knowsPassword(visit.address, link, request.body?.password))) {
        if (wantsJson(request)) {
          throw new ServiceError('wrong_password', 'Wrong password.');
        }
        reply.code(401);
        addVary(reply, 'Accept');
        return sendPasswordPage(reply, visit, link, dependencies, { inspects, isWrong: true });
      }
      if (inspects) return sendInspectPage(reply, visit, link, dependencies);
      if (needsPreview(link, dependencies))
        return sendPreviewPage(reply, visit, link, dependencies);
      return redirect(visit, reply, link, dependencies, 303);
    });
  },
  { encapsulate: true },
);

/** Redirects a visit. It is done when it returns, unless the store has to count it or there is a page instead. */
function redirect(
  visit: Visit,
  reply: FastifyReply,
  link: Link,
  dependencies: RedirectDependencies & Pick<ShortLinkDependencies, 'requestLog' | 'domains'>,
  status?: 302 | 303,
): undefined | Promise<unknown> {
  if (!maySeeTarget(visit, link)) {
    recordPageView(visit, link, dependencies);
    // A browser that gets an error forgets it, and asks again once somebody clicks.
    if (isPrefetch(visit.headers)) return sendNothingYet(reply);
    return sendCardPage(reply, link, link.card ?? {}, dependencies);
  }
  const location = redirectTarget(visit, link, dependencies);
  return location instanceof Promise
    ? location.then((url) => sendRedirect(reply, url, dependencies.requestLog, status))
    : sendRedirect(reply, location, dependencies.requestLog, status);
}

/** @see RFC 8470, section 5.2 */
async function sendNothingYet(reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(425).header('cache-control', 'private, no-store').send();
}

function readAlias(parameter: string): { alias: string; inspects: boolean } {
  const inspects = parameter.endsWith('+');
  return { alias: inspects ? parameter.slice(0, -1) : parameter, inspects };
}

type GoVisit = { Params: { alias: string }; Querystring: { t?: unknown } };

/** `GET /<alias>/go?t=<token>`: redirects to the target once the preview page's wait is over. */
function addGoLinkRoute(
  app: FastifyInstance,
  { findLink, ...dependencies }: ShortLinkDependencies & { findLink: LinkFinder },
): void {
  app.get<GoVisit>('/:alias/go', async (request, reply) => {
    const sent = readVisit(request);
    const link = await findLink(sent);
    const { token, url } = passesQuery(link)
      ? splitGoQuery(request.url)
      : { token: request.query.t, url: request.url };
    const visit = { ...sent, url };
    const check = checkGoLink(token, link, dependencies.clock(), dependencies.secret);
    switch (check.verdict) {
      case 'valid':
        return redirect(visit, reply, link, dependencies);
      case 'too_early': {
        const retryAfterSeconds = Math.ceil(check.remainingMs / 1000);
        const unit = retryAfterSeconds === 1 ? 'second' : 'seconds';
        throw new ServiceError(
          'too_early',
          `This link opens in ${retryAfterSeconds} ${unit}. You will then be redirected.`,
          { retryAfterSeconds },
        );
      }
      case 'expired':
      case 'forged':
        return reply
          .header('cache-control', 'private, no-store')
          .redirect(visitedPath(visit, link));
    }
  });
}
