import type { FastifyInstance } from 'fastify';
import type { TokenDependencies } from '../../accounts/account-tokens.ts';
import type { AllLinksDependencies } from '../../admin/list-all-links.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoute } from './audit.ts';
import { blockRoutes } from './blocks.ts';
import { adminDomainRoutes } from './domains.ts';
import { leavingRoutes } from './leaving.ts';
import { allLinksRoutes } from './links.ts';
import { reportRoutes } from './reports.ts';
import { type SystemRouteDependencies, systemRoute } from './system.ts';
import { adminTokenRoutes } from './tokens.ts';

type Dependencies = TokenDependencies & AllLinksDependencies & SystemRouteDependencies;

/** Everything under `/api/admin`. */
export async function adminRoutes(app: FastifyInstance, options: Dependencies) {
  await app.register(accountRoutes, options);
  await app.register(adminTokenRoutes, options);
  await app.register(leavingRoutes, options);
  await app.register(allLinksRoutes, options);
  await app.register(blockRoutes, options);
  await app.register(reportRoutes, options);
  await app.register(adminDomainRoutes, options);
  await app.register(auditRoute, options);
  await app.register(systemRoute, options);
}
