import type { FastifyInstance } from 'fastify';
import type { HealthAnswer } from '../../shared/health.ts';
import { VERSION } from '../core/version.ts';

/** `GET /api/health`: how a client knows that it speaks to Curt. */
export async function healthRoute(app: FastifyInstance) {
  app.get(
    '/health',
    async (): Promise<HealthAnswer> => ({ status: 'ok', service: 'curt', version: VERSION }),
  );
}
