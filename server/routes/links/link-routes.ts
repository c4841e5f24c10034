import type { FastifyInstance } from 'fastify';
import type { Service } from '../../dependencies.ts';
import type { Shortener } from '../../links/create-link.ts';
import { batchRoute } from './batch.ts';
import { changeLinksRoutes } from './change-links.ts';
import { deleteLinkRoutes } from './delete-link.ts';
import { editLinkRoute } from './edit-link.ts';
import { readLinkRoutes } from './read-links.ts';
import { linkTransferRoutes } from './transfer.ts';

/** Everything under `/api/links`. */
export async function linkRoutes(
  app: FastifyInstance,
  options: { service: Service; shorten: Shortener },
) {
  await app.register(batchRoute, options);
  await app.register(readLinkRoutes, options);
  await app.register(changeLinksRoutes, options);
  await app.register(editLinkRoute, options);
  await app.register(deleteLinkRoutes, options);
  await app.register(linkTransferRoutes, options);
}
