import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Domains } from '../domains/short-domains.ts';
import { onlyOnBaseUrl, rejectCrossSite } from '../web/plugins/origins.ts';
import { acceptAnyBody } from './parameters.ts';
import { shlinkRoutes } from './shlink.ts';
import type { ShlinkDependencies } from './shlink-call.ts';
import { yourlsRoutes } from './yourls.ts';

type CompatDependencies = ShlinkDependencies & {
  domains: Domains;
};

/**
 * Registers the APIs of other shorteners, for programs that speak only those. They translate, and have no rule of
 * their own: keys, limits, quotas and blocks are those of the API.
 *
 * @see docs/compat.md
 */
export const compatRoutes = fp(
  async (app: FastifyInstance, dependencies: CompatDependencies) => {
    const { corsOrigins: origins } = dependencies.settings;
    await app.register(onlyOnBaseUrl, dependencies);
    if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller');
    app.addHook('onRequest', (request, _reply, done) => {
      rejectCrossSite(request, origins);
      done();
    });
    acceptAnyBody(app);
    await yourlsRoutes(app, dependencies);
    await app.register(shlinkRoutes, dependencies);
  },
  { encapsulate: true },
);
