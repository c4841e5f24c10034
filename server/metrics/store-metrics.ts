import { setTimeout } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { type Store, StoreUnavailableError } from '../store/store.ts';
import { addMetric } from './add-metric.ts';
import { RecordedHistogram } from './recorded-histogram.ts';

export type MeasuredStore = Pick<Store, 'metrics' | 'checkWritable'>;

/** Less than Prometheus waits for the metrics. */
const READY_WITHIN_MS = 3000;

export function addStoreMetrics(registry: Registry, store: MeasuredStore): void {
  addMetric(registry, {
    type: 'gauge',
    name: 'curt_store_ready',
    help: 'Whether changes can be saved: 1 or 0.',
    read: () => Promise.race([isReady(store), setTimeout(READY_WITHIN_MS, 0, { ref: false })]),
  });
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
    name: 'curt_store_journal_bytes',
    help: 'The part of the data that the next compaction writes again: changes since the last one.',
    read: () => store.metrics().journalBytes,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_store_compactions_total',
    help: 'Compactions, by result.',
    label: 'result',
    read: () => store.metrics().compactions,
  });
}

async function isReady(store: MeasuredStore): Promise<0 | 1> {
  try {
    await store.checkWritable();
    return 1;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return 0;
    throw error;
  }
}
