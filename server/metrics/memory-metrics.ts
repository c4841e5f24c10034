import type { Registry } from 'prom-client';
import { addMetric } from './add-metric.ts';

export type MeasuredMemory = { readonly usedBytes: number; readonly limitBytes: number };

export function addMemoryMetrics(registry: Registry, memory: MeasuredMemory): void {
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_memory_used_bytes',
    help: 'The part of the heap that is in use, without garbage. From 85 % of the limit on, no links are added.',
    read: () => memory.usedBytes,
  });
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_memory_limit_bytes',
    help: 'The limit of the heap.',
    read: () => memory.limitBytes,
  });
}
