import type { FastifyInstance } from 'fastify';
import { systemResponseSchema } from '../../../shared/admin/system.ts';
import { readSystem, type SystemDependencies } from '../../admin/read-system.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';
import { addRoute } from '../add-route.ts';

export type SystemRouteDependencies = SystemDependencies & { clock: Clock };

const endpoint = {
  access: 'admin',
  tag: 'Administration',
  operationId: 'adminGetSystem',
  summary: 'Read the state of the server',
  description: 'Numbers since the start are those of the server that responds.',
  response: systemResponseSchema,
} satisfies Endpoint;

/** `GET /api/admin/system`. */
export async function systemRoute(app: FastifyInstance, dependencies: SystemRouteDependencies) {
  const started = dependencies.clock();
  addRoute(app, 'GET', '/admin/system', endpoint, async () => {
    const data = await readSystem(started, dependencies);
    return { success: true, message: 'The state of the server.', data };
  });
}
