import type { FastifyInstance } from 'fastify';
import { hasAdministrators } from '../config.ts';
import type { Service } from '../dependencies.ts';
import type { Limits } from '../limits/limits.ts';
import type { Shortener } from '../links/create-link.ts';
import { createIdentifyAdmin } from '../web/plugins/admin-token.ts';
import { apiCors } from '../web/plugins/api-cors.ts';
import { checkParams } from '../web/plugins/check-params.ts';
import { rejectCrossSite } from '../web/plugins/cross-site.ts';
import { type DeclaredEndpoint, enforceEndpoints } from '../web/plugins/endpoint.ts';
import { identifyCaller } from '../web/plugins/identify-caller.ts';
import { createReadIdentity } from '../web/plugins/identity.ts';
import { rejectOtherRequests } from '../web/plugins/reject-other-requests.ts';
import { type ShortenLimit, shortenRate } from '../web/plugins/shorten-rate.ts';
import { strictJson } from '../web/plugins/strict-json.ts';
import { accountRoute } from './account/account.ts';
import { deleteAccountRoute } from './account/delete-account.ts';
import { identityRoutes } from './account/identity.ts';
import { tokenRoutes } from './account/tokens.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { healthRoutes } from './health.ts';
import { linkRoutes } from './links/link-routes.ts';
import { openApiRoute } from './openapi.ts';
import { shortenRoute } from './shorten.ts';
import { statisticsRoutes } from './statistics.ts';

/** Everything under `/api`. */
export async function apiRoutes(
  app: FastifyInstance,
  {
    service,
    limits,
    shorten,
    limit,
  }: { service: Service; limits: Limits; shorten: Shortener; limit: ShortenLimit },
) {
  const endpoints: DeclaredEndpoint[] = [];
  const identifyAdmin = createIdentifyAdmin(service, limits);
  const readIdentity = createReadIdentity(service);
  // Hooks use callbacks, here and in plugins, because promises are slower.
  app.addHook('onRequest', (_request, reply, done) => {
    // Responses contain tokens.
    reply.header('cache-control', 'no-store');
    done();
  });
  await app.register(apiCors, { origins: service.settings.corsOrigins });
  await app.register(rejectOtherRequests, {
    routes: async (api) => {
      await api.register(identifyCaller, { store: service.store });
      api.addHook('onRequest', (request, _reply, done) => {
        rejectCrossSite(request, service.settings.corsOrigins);
        done();
      });
      await api.register(shortenRate, { limit });
      await api.register(strictJson);
      await api.register(checkParams);
      await api.register(enforceEndpoints, { service, endpoints, identifyAdmin, readIdentity });
      await api.register(shortenRoute, { service, shorten });
      await api.register(linkRoutes, { service, shorten });
      await api.register(statisticsRoutes, { service });
      await api.register(accountRoute, { service, limit });
      await api.register(tokenRoutes, { service });
      await api.register(deleteAccountRoute, { service });
      await api.register(identityRoutes, { service, readIdentity });
      await api.register(healthRoutes, { service });
      // Without administrators, these paths are unknown, and the API reference does not have them.
      if (hasAdministrators(service.settings)) await api.register(adminRoutes, { service });
      await api.register(openApiRoute, { service, endpoints });
    },
  });
}
