import type { FastifyInstance } from 'fastify';
import { auditQuerySchema, auditResponseSchema } from '../../../shared/admin/audit.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { AuditDependencies } from '../../admin/audit.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

const endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListAuditEntries',
  summary: 'Read the audit log',
  description:
    'What administrators changed or exported. An entry is on disk before its action is carried out.',
  query: auditQuerySchema,
  response: auditResponseSchema,
  errors: ['invalid_request'],
} satisfies Endpoint;

/** `GET /api/admin/audit`. */
export async function auditRoute(app: FastifyInstance, dependencies: AuditDependencies) {
  addRoute(app, 'GET', '/admin/audit', endpoint, async ({ query }) => {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = query;
    const { entries, next, ...page } = await readPage(cursor, (after) =>
      dependencies.store.administration.listAuditEntries({ limit, after }),
    );
    const data = entries.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() }));
    return { success: true, message: 'The audit log.', data, nextCursor: toCursor(next), ...page };
  });
}
