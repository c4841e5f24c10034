import type { FastifyInstance } from 'fastify';
import {
  type AuditResponse,
  auditQuerySchema,
  auditResponseSchema,
} from '../../../shared/admin/audit.ts';
import { LIST_LIMIT_DEFAULT } from '../../../shared/limits.ts';
import type { AuditDependencies } from '../../admin/audit.ts';
import { readPage, toCursor } from '../../admin/cursor.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const endpoint: Endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminListAuditEntries',
  summary: 'Read the audit log',
  description:
    'What administrators changed or exported. An entry is on disk before its action is carried out.',
  query: auditQuerySchema,
  response: auditResponseSchema,
  errors: ['invalid_request'],
};

/** `GET /api/admin/audit`. */
export async function auditRoute(app: FastifyInstance, dependencies: AuditDependencies) {
  app.get('/admin/audit', { config: { endpoint } }, async (request): Promise<AuditResponse> => {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = parseInput(auditQuerySchema, request.query);
    const { entries, next, damagedLines } = await readPage(cursor, (after) =>
      dependencies.store.administration.listAuditEntries({ limit, after }),
    );
    const data = entries.map(({ time, ...entry }) => ({
      ...entry,
      time: new Date(time).toISOString(),
    }));
    return {
      success: true,
      message: 'The audit log.',
      data,
      nextCursor: toCursor(next),
      damagedLines,
    };
  });
}
