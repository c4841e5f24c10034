import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Passwords } from '../../accounts/passwords.ts';
import type { BlockList } from '../../blocks/block-list.ts';
import { hasAdministrators, type Settings } from '../../config.ts';
import type { Domains } from '../../domains/short-domains.ts';
import type { RandomBytes } from '../../lib/random-bytes.ts';
import type { Clock } from '../../lib/time.ts';
import type { AliasAnswers, EditRate, GuessedLinks } from '../../limits/client-limits.ts';
import type { Memory } from '../../limits/heap-watch.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Shortener } from '../../links/create-link.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Store } from '../../store/store.ts';
import { collectRoutes, routeErrors } from '../../web/plugins/allowed-methods.ts';
import {
  type DeclaredEndpoint,
  enforceEndpoints,
  type ShortenLimit,
} from '../../web/plugins/endpoint.ts';
import { createIdentifyAdmin, identifyCaller } from '../../web/plugins/identify-caller.ts';
import { createReadIdentity } from '../../web/plugins/identity.ts';
import { apiCors, onlyOnBaseUrl, rejectCrossSite } from '../../web/plugins/origins.ts';
import { strictJson } from '../../web/plugins/request-bodies.ts';
import { accountRoutes } from './account.ts';
import { adminAccountRoutes } from './admin-accounts.ts';
import { adminDomainRoutes } from './admin-domains.ts';
import { adminLinkRoutes } from './admin-links.ts';
import { adminServerRoutes } from './admin-server.ts';
import { createLinkRoutes } from './create-links.ts';
import { identityRoutes } from './identity.ts';
import { bulkRoutes, linkRoutes } from './links.ts';
import { serverRoutes } from './server.ts';
import { signInCodeRoutes } from './sign-in-codes.ts';
import { statisticsRoutes } from './statistics.ts';
import { transferRoutes } from './transfer.ts';

/** What the endpoints use, each of them a part. */
type ApiDependencies = {
  settings: Settings;
  store: Store;
  clock: Clock;
  randomBytes: RandomBytes;
  domains: Domains;
  dataSecret: Buffer;
  passwords: Passwords;
  blocks: BlockList;
  edits: EditRate;
  aliasAnswers: AliasAnswers;
  guessedLinks: GuessedLinks;
  traffic: Traffic;
  memory: Memory;
  warnings: readonly string[];
};

/** Registers everything under `/api`. */
export async function apiRoutes(
  app: FastifyInstance,
  {
    limits,
    shorten,
    limit,
    ...dependencies
  }: ApiDependencies & { limits: Limits; shorten: Shortener; limit: ShortenLimit },
) {
  const endpoints: DeclaredEndpoint[] = [];
  const identifyAdmin = createIdentifyAdmin(dependencies, limits);
  const readIdentity = createReadIdentity(dependencies);
  // Hooks use callbacks, here and in plugins, because promises are slower.
  app.addHook('onRequest', (_request, reply, done) => {
    // Responses contain tokens.
    reply.header('cache-control', 'no-store');
    done();
  });
  await app.register(onlyOnBaseUrl, dependencies);
  await app.register(apiCors, { origins: dependencies.settings.corsOrigins });
  await app.register(rejectOtherRequests, {
    routes: async (api) => {
      await api.register(identifyCaller, dependencies);
      api.addHook('onRequest', (request, _reply, done) => {
        rejectCrossSite(request, dependencies.settings.corsOrigins);
        done();
      });
      await api.register(strictJson);
      await api.register(enforceEndpoints, {
        ...dependencies,
        limit,
        endpoints,
        identifyAdmin,
        readIdentity,
      });
      await createLinkRoutes(api, { ...dependencies, shorten });
      await linkRoutes(api, dependencies);
      await bulkRoutes(api, dependencies);
      await api.register(transferRoutes, dependencies);
      await statisticsRoutes(api, dependencies);
      await accountRoutes(api, { ...dependencies, limit });
      await signInCodeRoutes(api, { ...dependencies, limits });
      await identityRoutes(api, { ...dependencies, readIdentity });
      // Without administrators, these paths are unknown, and the API reference does not have them.
      if (hasAdministrators(dependencies.settings)) {
        await adminAccountRoutes(api, dependencies);
        await adminLinkRoutes(api, dependencies);
        await adminDomainRoutes(api, dependencies);
        await adminServerRoutes(api, dependencies);
      }
      await serverRoutes(api, { ...dependencies, endpoints });
    },
  });
}

/**
 * Registers `routes`, and error routes for all other requests under the same prefix: 405 if the path
 * supports another method, otherwise 404. Without them, the routes of short links would match, for
 * example, `/api/go`. CORS handles OPTIONS.
 */
const rejectOtherRequests = fp(
  async (app: FastifyInstance, { routes }: { routes: FastifyPluginAsync }) => {
    const collected = collectRoutes(app);
    await app.register(routes);
    // Without the error routes.
    const toRouteError = routeErrors(app, [...collected]);
    const toError = (request: FastifyRequest) =>
      toRouteError(request, 'There is no API endpoint at this address.');

    const methods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
    }
    for (const url of ['/*', '/']) {
      app.route({
        url,
        method: methods,
        prefixTrailingSlash: 'no-slash',
        // Before the body is read.
        onRequest: (request, _reply, done) => done(toError(request)),
        handler: (request) => {
          throw toError(request);
        },
      });
    }
  },
);
