import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../../dependencies.ts';
import type { Limit, Limits } from '../../limits/limits.ts';
import type { UnnamedProxy } from '../../limits/unnamed-proxy.ts';
import { createLinkFinder } from '../../visits/link-finder.ts';
import { UnknownThrottle } from '../../visits/unknown-throttle.ts';
import { goLinkRoute } from './go-link.ts';
import { qrRoutes } from './qr.ts';
import { reportFormRoutes } from './report-form.ts';
import { shortLinkRoutes } from './short-link.ts';

/** A password of 128 four-byte characters, percent-encoded, takes 1.5 KiB. */
const FORM_MAX_BYTES = 4096;

/** Routes for visitors: all paths that start with an alias. */
export async function visitRoutes(
  app: FastifyInstance,
  {
    service,
    limits,
    unknown,
    proxy,
  }: { service: Service; limits: Limits; unknown: Limit; proxy: UnnamedProxy },
) {
  const findLink = createLinkFinder(service, new UnknownThrottle(unknown), proxy);
  await app.register(formbody, { bodyLimit: FORM_MAX_BYTES });
  await app.register(shortLinkRoutes, { service, limits, findLink });
  await app.register(goLinkRoute, { service, findLink });
  await app.register(qrRoutes, { service, findLink });
  if (service.settings.reports) {
    await app.register(reportFormRoutes, { service, limits, findLink });
  }
}
