import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Time } from '../../shared/time.ts';
import type { Settings } from '../config.ts';
import { SettingsError } from '../lib/settings.ts';
import type { MeasuredMemory, MeasuredStore } from './registry.ts';
import type { Traffic } from './traffic.ts';

export type MetricsServer = {
  /** The address of the metrics. */
  url: string;
  close(): Promise<void>;
};

type Options = {
  settings: Pick<Settings, 'metricsHost' | 'metricsPort'>;
  traffic: Traffic;
  store: MeasuredStore;
  memory: MeasuredMemory;
  /** @default systemTime */
  time?: Time;
};

/**
 * Serves `GET /metrics` for Prometheus on a port of its own, so that a proxy for the short links can't
 * expose it. Without `METRICS_PORT`, nothing is loaded or measured for it.
 *
 * @returns undefined without `METRICS_PORT`
 * @throws SettingsError if the port or the address can't be used
 */
export async function startMetrics({
  settings: { metricsHost: host, metricsPort: port },
  ...measured
}: Options): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const { createRegistry } = await import('./registry.ts');
  const registry = createRegistry(measured);
  const answer: RequestListener = async ({ method, url = '' }, response) => {
    if (method !== 'GET' || url.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const metrics = await registry.metrics().catch(() => undefined);
    if (metrics === undefined) response.writeHead(500).end();
    else response.writeHead(200, { 'content-type': registry.contentType }).end(metrics);
  };
  const server = createServer(answer).listen({ host, port });
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new SettingsError(describeMetricsError({ message }));
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}/metrics`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function describeMetricsError({ message }: Pick<Error, 'message'>): string {
  return `The metrics cannot be served: ${message}. Set METRICS_PORT and METRICS_HOST to a free port and an address of this machine.`;
}
