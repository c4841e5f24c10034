import { collectDefaultMetrics, Registry } from 'prom-client';
import { VERSION } from '../core/version.ts';
import type { Store } from '../store/store.ts';
import { addMetric } from './add-metric.ts';
import { addStoreMetrics } from './store-metrics.ts';
import type { Traffic } from './traffic.ts';
import { addTrafficMetrics } from './traffic-metrics.ts';

/**
 * All metrics, with Node.js's own on CPU, memory, garbage collection and event-loop delay. They are
 * read when they are asked for. The values of every label are bounded: none is an alias, an account or
 * an address.
 */
export function createRegistry({
  traffic,
  store,
}: {
  traffic: Traffic;
  store: Pick<Store, 'metrics'>;
}): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_build_info',
    help: 'The version of Curt.',
    label: 'version',
    read: () => ({ [VERSION]: 1 }),
  });
  addTrafficMetrics(registry, traffic);
  addStoreMetrics(registry, store);
  return registry;
}
