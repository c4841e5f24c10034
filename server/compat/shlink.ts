import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Domain } from '../domains/short-domains.ts';
import { ServiceError } from '../lib/service-error.ts';
import { isWritable } from '../store/store.ts';
import { apiCors } from '../web/plugins/origins.ts';
import { acceptKey } from './key-call.ts';
import { totalsOf } from './links.ts';
import { textOf } from './parameters.ts';
import type { ShlinkDependencies, Sign } from './shlink-call.ts';
import { noSingleVisits, notProvided, sendProblem } from './shlink-errors.ts';
import { shortUrlRoutes } from './shlink-links.ts';
import { toVisits } from './shlink-shapes.ts';
import { tagRoutes } from './shlink-tags.ts';

/**
 * The level of the API that clients expect, not a version of Curt. From 4.2 on, they would show what this server
 * doesn't have.
 */
const API_LEVEL = '4.1.0';
const PROJECT = 'https://git.example/curt/curt';
/** All versions are the same, and a server with fewer routes starts sooner. */
const PREFIX = '/rest/:version(^v[123]$)';
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/**
 * Registers the core of Shlink's REST API under `/rest`, in all of its versions. The key is `X-Api-Key`.
 *
 * @see https://shlink.io/documentation/api-docs/
 */
export const shlinkRoutes = fp(
  async (app: FastifyInstance, dependencies: ShlinkDependencies) => {
    const sign: Sign = (request, reply, action, key = textOf(request.headers['x-api-key'])) =>
      acceptKey(request, reply, key ?? undefined, action, dependencies);
    const { corsOrigins: origins } = dependencies.settings;
    app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    healthRoute(app, '/rest/health', dependencies);
    await app.register(
      async (api) => {
        await api.register(apiCors, { origins, methods: METHODS });
        healthRoute(api, '/health', dependencies);
        shortUrlRoutes(api, dependencies, sign);
        tagRoutes(api, dependencies, sign);
        overviewRoutes(api, dependencies, sign);
      },
      { prefix: PREFIX },
    );
  },
  { encapsulate: true },
);

function healthRoute(app: FastifyInstance, url: string, dependencies: ShlinkDependencies): void {
  app.get(url, async (_request, reply) => {
    const isHealthy = await isWritable(dependencies.store);
    const about = `${dependencies.domains.first.baseUrl}/api/docs`;
    const health = {
      status: isHealthy ? 'pass' : 'fail',
      version: API_LEVEL,
      links: { about, project: PROJECT },
    };
    return reply
      .code(isHealthy ? 200 : 503)
      .type('application/health+json')
      .send(JSON.stringify(health));
  });
}

const NO_REDIRECTS = {
  baseUrlRedirect: null,
  regular404Redirect: null,
  invalidShortUrlRedirect: null,
};

function overviewRoutes(app: FastifyInstance, dependencies: ShlinkDependencies, sign: Sign): void {
  const { domains } = dependencies;

  app.get('/domains', async (request, reply) => {
    const { account } = await sign(request, reply, 'read');
    const toRow = (domain: Domain) => ({
      domain: domain.host,
      isDefault: domain === domains.first,
      redirects: NO_REDIRECTS,
    });
    const data = domains.usableBy(account.id).map(toRow);
    return { domains: { data, defaultRedirects: NO_REDIRECTS } };
  });

  app.get('/visits', async (request, reply) => {
    const key = await sign(request, reply, 'read');
    const { visits } = await totalsOf(key, dependencies);
    return { visits: { nonOrphanVisits: toVisits(visits), orphanVisits: toVisits(0) } };
  });

  const missing = [
    ['GET', '/visits/orphan'],
    ['DELETE', '/visits/orphan'],
    ['GET', '/visits/non-orphan'],
    ['GET', '/tags/:tag/visits'],
    ['GET', '/domains/:domain/visits'],
  ] as const;
  for (const [method, url] of missing) {
    app.route({
      ...{ method, url, exposeHeadRoute: false },
      handler: async (request, reply) => {
        await sign(request, reply, 'read');
        throw noSingleVisits(domains.first.baseUrl);
      },
    });
  }

  app.patch('/domains/redirects', async (request, reply) => {
    await sign(request, reply, 'edit');
    throw notProvided(
      'Administrators set where a domain leads: see `curt domain` and the dashboard.',
    );
  });

  app.get('/mercure-info', async (request, reply) => {
    await sign(request, reply, 'read');
    throw notProvided(
      'This Shlink instance is not integrated with a mercure hub.',
      'mercure-not-configured',
    );
  });

  app.route({
    ...{ method: METHODS, url: '/*', exposeHeadRoute: false },
    handler: async () => {
      throw new ServiceError('not_found', 'There is no endpoint at this address.');
    },
  });
}
