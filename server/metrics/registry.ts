import { collectDefaultMetrics, Registry } from 'prom-client';
import { VERSION } from '../lib/version.ts';
import { addMetric } from './add-metric.ts';
import { addMemoryMetrics, type MeasuredMemory } from './memory-metrics.ts';
import { addStoreMetrics, type MeasuredStore } from './store-metrics.ts';
import type { Traffic } from './traffic.ts';
import { addTrafficMetrics } from './traffic-metrics.ts';

/** Gauges, which have the names of counters. Others of Node.js have the same numbers by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

/**
 * All metrics, with Node.js's own on CPU, memory, garbage collection and event-loop delay. They are
 * read when they are asked for. The values of every label are bounded: none is an alias, an account or
 * an address.
 */
export function createRegistry({
  traffic,
  store,
  memory,
}: {
  traffic: Traffic;
  store: MeasuredStore;
  memory: MeasuredMemory;
}): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_build_info',
    help: 'The version of Curt.',
    label: 'version',
    read: () => ({ [VERSION]: 1 }),
  });
  addTrafficMetrics(registry, traffic);
  addStoreMetrics(registry, store);
  addMemoryMetrics(registry, memory);
  return registry;
}
