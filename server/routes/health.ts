import type { FastifyInstance } from 'fastify';
import type { HealthResponse } from '../../shared/health.ts';
import type { Service } from '../core/context.ts';
import { VERSION } from '../core/version.ts';

const HEALTHY: HealthResponse = { status: 'ok', service: 'curt', version: VERSION };

/**
 * `GET /api/health`: identifies the server as Curt; a liveness check that does not touch the disk.
 * `GET /api/health/ready`: a readiness check, 503 `store_unavailable` while the store cannot write.
 */
export async function healthRoutes(app: FastifyInstance, { service }: { service: Service }) {
  app.get('/health', async () => HEALTHY);

  app.get('/health/ready', async () => {
    await service.store.checkWritable();
    return HEALTHY;
  });
}
