import type { FastifyInstance } from 'fastify';
import { LIST_LIMIT_DEFAULT } from '../../../shared/bounds.ts';
import type { AuditDependencies } from '../../admin/audit.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import { readOverview, readSystem, type SystemDependencies } from '../../admin/read-server.ts';
import { addRoutes } from './add-routes.ts';

/** Registers `/api/admin/overview`, `/api/admin/audit` and `/api/admin/system`. */
export async function adminServerRoutes(
  app: FastifyInstance,
  dependencies: SystemDependencies & AuditDependencies,
) {
  const add = addRoutes(app, 'Administration', 'admin');

  add.adminListAuditEntries(
    {
      summary: 'Read the audit log',
      description:
        'What administrators changed or exported. An entry is on disk before its action is carried out.',
    },
    async ({ query }) => {
      const { limit = LIST_LIMIT_DEFAULT, cursor } = query;
      const { entries, next, ...page } = await readPage(cursor, (after) =>
        dependencies.store.administration.listAuditEntries({ limit, after }),
      );
      const data = entries.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() }));
      return {
        success: true,
        message: 'The audit log.',
        data,
        nextCursor: toCursor(next),
        ...page,
      };
    },
  );

  add.adminGetOverview(
    {
      summary: 'Read what happened lately',
      description: 'New links, visits, new accounts and reports of the last days.',
    },
    async () => {
      const data = await readOverview(dependencies);
      return { success: true, message: 'The last days.', data };
    },
  );

  const started = dependencies.clock();
  add.adminGetSystem(
    {
      summary: 'Read the state of the server',
      description: 'Numbers since the start are those of the server that responds.',
    },
    async () => {
      const data = await readSystem(started, dependencies);
      return { success: true, message: 'The state of the server.', data };
    },
  );
}
