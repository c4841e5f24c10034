import type { FastifyInstance } from 'fastify';
import type { Passwords } from '../accounts/passwords.ts';
import type { BlockList } from '../blocks/block-list.ts';
import { hasAdministrators, type Settings } from '../config.ts';
import type { ShortDomains } from '../domains/short-domains.ts';
import type { Clock } from '../lib/clock.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import type { ShortDomain } from '../lib/short-domain.ts';
import type { AliasAnswers } from '../limits/alias-answers.ts';
import type { EditRate } from '../limits/edit-rate.ts';
import type { GuessedLinks } from '../limits/guessed-links.ts';
import type { Limits } from '../limits/limits.ts';
import type { Memory } from '../limits/memory.ts';
import type { Shortener } from '../links/create-link.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Store } from '../store/store.ts';
import { createIdentifyAdmin } from '../web/plugins/admin-token.ts';
import { apiCors } from '../web/plugins/api-cors.ts';
import { checkParams } from '../web/plugins/check-params.ts';
import { rejectCrossSite } from '../web/plugins/cross-site.ts';
import { type DeclaredEndpoint, enforceEndpoints } from '../web/plugins/endpoint.ts';
import { identifyCaller } from '../web/plugins/identify-caller.ts';
import { createReadIdentity } from '../web/plugins/identity.ts';
import { onlyOnBaseUrl } from '../web/plugins/only-on-base-url.ts';
import { rejectOtherRequests } from '../web/plugins/reject-other-requests.ts';
import { type ShortenLimit, shortenRate } from '../web/plugins/shorten-rate.ts';
import { strictJson } from '../web/plugins/strict-json.ts';
import { accountRoute } from './account/account.ts';
import { deleteAccountRoute } from './account/delete-account.ts';
import { identityRoutes } from './account/identity.ts';
import { tokenRoutes } from './account/tokens.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { domainRoutes } from './domains.ts';
import { healthRoutes } from './health.ts';
import { linkRoutes } from './links/link-routes.ts';
import { openApiRoute } from './openapi.ts';
import { shortenRoute } from './shorten.ts';
import { statisticsRoutes } from './statistics.ts';

/** What the endpoints use, each of them a part. */
type ApiDependencies = {
  settings: Settings;
  store: Store;
  clock: Clock;
  randomBytes: RandomBytes;
  shortDomain: () => ShortDomain;
  domains: ShortDomains;
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

/** Everything under `/api`. */
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
      await api.register(shortenRate, { limit });
      await api.register(strictJson);
      await api.register(checkParams);
      await api.register(enforceEndpoints, {
        ...dependencies,
        endpoints,
        identifyAdmin,
        readIdentity,
      });
      await api.register(shortenRoute, { ...dependencies, shorten });
      await api.register(linkRoutes, { ...dependencies, shorten });
      await api.register(statisticsRoutes, dependencies);
      await api.register(accountRoute, { ...dependencies, limit });
      await api.register(tokenRoutes, dependencies);
      await api.register(deleteAccountRoute, dependencies);
      await api.register(domainRoutes, dependencies);
      await api.register(identityRoutes, { ...dependencies, readIdentity });
      await api.register(healthRoutes, dependencies);
      // Without administrators, these paths are unknown, and the API reference does not have them.
      if (hasAdministrators(dependencies.settings)) await api.register(adminRoutes, dependencies);
      await api.register(openApiRoute, { ...dependencies, endpoints });
    },
  });
}
