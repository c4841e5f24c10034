import type { FastifyInstance } from 'fastify';
import { type HealthResponse, healthResponseSchema } from '../../shared/health.ts';
import type { Settings } from '../config.ts';
import type { ShortDomains } from '../domains/short-domains.ts';
import { VERSION } from '../lib/version.ts';
import type { Store } from '../store/store.ts';
import type { Endpoint } from '../web/plugins/endpoint.ts';

type Options = {
  settings: Pick<Settings, 'countryHeader'>;
  store: Pick<Store, 'checkWritable'>;
  domains: ShortDomains;
};

const health: Endpoint = {
  access: 'public',
  answersLoopback: true,
  tag: 'Server',
  operationId: 'getHealth',
  summary: 'Check that the server runs',
  response: healthResponseSchema,
};
const ready: Endpoint = {
  ...health,
  operationId: 'getReadiness',
  summary: 'Check that the server can write',
  errors: ['store_unavailable'],
};

/**
 * `GET /api/health`: identifies the server as Curt; a liveness check that does not touch the disk.
 * `GET /api/health/ready`: a readiness check, 503 `store_unavailable` while the store cannot write.
 */
export async function healthRoutes(app: FastifyInstance, { settings, store, domains }: Options) {
  const healthy = (): HealthResponse => ({
    ...{ status: 'ok', service: 'curt', version: VERSION, baseUrl: domains.first.baseUrl },
    ...(!domains.isSingle && { hasDomains: true }),
    ...(settings.countryHeader !== undefined && { hasCountries: true }),
  });
  app.get('/health', { config: { endpoint: health } }, async () => healthy());

  app.get('/health/ready', { config: { endpoint: ready } }, async () => {
    await store.checkWritable();
    return healthy();
  });
}
