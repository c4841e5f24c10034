import type { Registry } from 'prom-client';
import type { Store } from '../store/store.ts';
import { addMetric } from './add-metric.ts';
import { RecordedHistogram } from './recorded-histogram.ts';

export function addStoreMetrics(registry: Registry, store: Pick<Store, 'metrics'>): void {
  new RecordedHistogram({
    registry,
    name: 'curt_store_sync_duration_seconds',
    help: 'Syncs of the disk, and how long they took.',
    read: () => [{ labels: {}, durations: store.metrics().syncs }],
  });
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_store_pending_changes',
    help: 'Changes that are being written or wait for it.',
    read: () => store.metrics().pendingChanges,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_store_failed_writes_total',
    help: 'Writes that failed.',
    read: () => store.metrics().failedWrites,
  });
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_store_data_bytes',
    help: 'Size of the data. Its files take up to twice as much.',
    read: () => store.metrics().dataBytes,
  });
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_store_waste_bytes',
    help: 'The part of the data that the next compaction removes.',
    read: () => store.metrics().wasteBytes,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_store_compactions_total',
    help: 'Compactions, by result.',
    label: 'result',
    read: () => store.metrics().compactions,
  });
}
