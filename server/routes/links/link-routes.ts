import type { FastifyInstance } from 'fastify';
import type { BatchDependencies } from '../../links/create-batch.ts';
import type { Shortener } from '../../links/create-link.ts';
import type { ChangeLinksDependencies } from '../../links/manage/change-links.ts';
import type { EditLinkDependencies } from '../../links/manage/edit-link.ts';
import type { ImportDependencies } from '../../links/transfer/import-links.ts';
import { batchRoute } from './batch.ts';
import { changeLinksRoutes } from './change-links.ts';
import { deleteLinkRoutes } from './delete-link.ts';
import { editLinkRoute } from './edit-link.ts';
import { readLinkRoutes } from './read-links.ts';
import type { SendLinkDependencies } from './send-link.ts';
import { tagsRoute } from './tags.ts';
import { linkTransferRoutes } from './transfer.ts';

type Dependencies = BatchDependencies &
  EditLinkDependencies &
  ChangeLinksDependencies &
  ImportDependencies &
  SendLinkDependencies;

/** Everything under `/api/links`, and `/api/tags`. */
export async function linkRoutes(
  app: FastifyInstance,
  options: Dependencies & { shorten: Shortener },
) {
  await app.register(batchRoute, options);
  await app.register(readLinkRoutes, options);
  await app.register(changeLinksRoutes, options);
  await app.register(editLinkRoute, options);
  await app.register(deleteLinkRoutes, options);
  await app.register(linkTransferRoutes, options);
  await app.register(tagsRoute, options);
}
