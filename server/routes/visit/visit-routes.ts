import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { BlockList } from '../../blocks/block-list.ts';
import type { Settings } from '../../config.ts';
import type { Limit, Limits } from '../../limits/limits.ts';
import type { UnnamedProxy } from '../../limits/unnamed-proxy.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import { createLinkFinder } from '../../visits/link-finder.ts';
import { UnknownThrottle } from '../../visits/unknown-throttle.ts';
import { goLinkRoute } from './go-link.ts';
import { qrRoutes } from './qr.ts';
import { reportFormRoutes } from './report-form.ts';
import { type ShortLinkDependencies, shortLinkRoutes } from './short-link.ts';

type Dependencies = ShortLinkDependencies & {
  settings: Pick<Settings, 'reports'>;
  blocks: BlockList;
  traffic: Pick<Traffic, 'countError'>;
};

/** A password of 128 four-byte characters, percent-encoded, takes 1.5 KiB. */
const FORM_MAX_BYTES = 4096;

/** Routes for visitors: all paths that start with an alias. */
export async function visitRoutes(
  app: FastifyInstance,
  {
    limits,
    unknown,
    proxy,
    ...dependencies
  }: Dependencies & { limits: Limits; unknown: Limit; proxy: UnnamedProxy },
) {
  const findLink = createLinkFinder(dependencies, new UnknownThrottle(unknown), proxy);
  await app.register(formbody, { bodyLimit: FORM_MAX_BYTES });
  await app.register(shortLinkRoutes, { ...dependencies, limits, findLink });
  await app.register(goLinkRoute, { ...dependencies, findLink });
  await app.register(qrRoutes, { ...dependencies, findLink });
  if (dependencies.settings.reports) {
    await app.register(reportFormRoutes, { ...dependencies, limits, findLink });
  }
}
