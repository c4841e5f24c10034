import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ERROR_CODES } from '../../shared/errors.ts';
import { sleep, systemTime, type Time } from '../../shared/time.ts';
import { VERSION } from '../lib/shipped-files.ts';
import { DURATION_BOUNDS_MS, type DurationHistogram } from '../lib/time.ts';
import { isWritable, type Store } from '../store/store.ts';
import type { Traffic } from './traffic.ts';

/** Gauges, which have the names of counters. Others of Node.js have the same numbers by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

/**
 * Creates all metrics, with Node.js's own on CPU, memory, garbage collection and event-loop delay. They are read
 * when they are asked for. The values of every label are bounded: none is an alias, an account or an address.
 */
export function createRegistry({
  traffic,
  store,
  memory,
  time = systemTime,
}: {
  traffic: Traffic;
  store: MeasuredStore;
  memory: MeasuredMemory;
  time?: Time;
}): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const metrics = createMetrics(registry);
  metrics.gauge('curt_build_info', 'The version of Curt.', () => ({ [VERSION]: 1 }), 'version');
  addTrafficMetrics(metrics, traffic);
  addStoreMetrics(metrics, store, time);
  addMemoryMetrics(metrics, memory);
  return registry;
}

function addTrafficMetrics(metrics: Metrics, traffic: Traffic): void {
  metrics.histogram({
    name: 'curt_http_request_duration_seconds',
    help: 'Requests and how long they took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    *read() {
      for (const { durations, ...labels } of traffic.requests) yield { labels, durations };
    },
  });
  metrics.counter('curt_redirects_total', 'Redirects to targets.', () => traffic.redirects);
  metrics.counter('curt_visits_total', 'Visits of links, by class.', () => traffic.visits, 'class');
  metrics.counter(
    'curt_links_created_total',
    'New links, by source.',
    () => traffic.created,
    'source',
  );
  metrics.counter(
    'curt_errors_total',
    'Error responses, by code.',
    () => Object.fromEntries(ERROR_CODES.map((code) => [code, traffic.errors.get(code) ?? 0])),
    'code',
  );
}

export type MeasuredStore = Pick<Store, 'metrics' | 'checkWritable'>;

/** Less than Prometheus waits for the metrics. */
const READY_WITHIN_MS = 3000;

function addStoreMetrics(metrics: Metrics, store: MeasuredStore, time: Time): void {
  metrics.gauge('curt_store_ready', 'Whether changes can be saved: 1 or 0.', () =>
    Promise.race([isWritable(store).then(Number), sleep(time, READY_WITHIN_MS).then(() => 0)]),
  );
  metrics.histogram({
    name: 'curt_store_sync_duration_seconds',
    help: 'Syncs of the disk, and how long they took.',
    read: () => [{ labels: {}, durations: store.metrics().syncs }],
  });
  metrics.gauge(
    'curt_store_pending_changes',
    'Changes that are being written or wait for it.',
    () => store.metrics().pendingChanges,
  );
  metrics.counter(
    'curt_store_failed_writes_total',
    'Writes that failed.',
    () => store.metrics().failedWrites,
  );
  metrics.gauge(
    'curt_store_data_bytes',
    'Size of the data. Its files take up to twice as much.',
    () => store.metrics().dataBytes,
  );
  metrics.gauge(
    'curt_store_journal_bytes',
    'The part of the data that the next compaction writes again: changes since the last one.',
    () => store.metrics().journalBytes,
  );
  metrics.counter(
    'curt_store_compactions_total',
    'Compactions, by result.',
    () => store.metrics().compactions,
    'result',
  );
}

export type MeasuredMemory = { readonly usedBytes: number; readonly limitBytes: number };

function addMemoryMetrics(metrics: Metrics, memory: MeasuredMemory): void {
  metrics.gauge(
    'curt_memory_used_bytes',
    'The part of the heap that is in use, without garbage. From 85 % of the limit on, no links are added.',
    () => memory.usedBytes,
  );
  metrics.gauge('curt_memory_limit_bytes', 'The limit of the heap.', () => memory.limitBytes);
}

type Values = number | Record<string, number>;

type Metrics = ReturnType<typeof createMetrics>;

/** Returns functions that add a counter or gauge, which is read when the metrics are asked for. */
function createMetrics(registry: Registry) {
  /**
   * @param read returns the value, or the value of each label
   * @param label its name; a metric without one has a single value
   */
  type Add = (
    name: string,
    help: string,
    read: () => Values | Promise<Values>,
    label?: string,
  ) => void;
  const addTo =
    (Metric: typeof Counter | typeof Gauge): Add =>
    (name, help, read, label) => {
      new Metric({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect(this: Counter | Gauge) {
          const values = await read();
          this.reset();
          if (typeof values === 'number') this.inc(values);
          else if (label) for (const key in values) this.inc({ [label]: key }, values[key]);
        },
      });
    };
  return {
    counter: addTo(Counter),
    gauge: addTo(Gauge),
    histogram: (config: Config) => new RecordedHistogram(config, registry),
  };
}

type Recorded = {
  labels: Record<string, string | number>;
  durations: Readonly<Pick<DurationHistogram, 'counts' | 'sumMs'>>;
};

type Config = {
  name: string;
  help: string;
  labelNames?: string[];
  read: () => Iterable<Recorded>;
};

/**
 * A histogram of seconds whose values are counted elsewhere: prom-client's own `observe` takes
 * much longer.
 */
class RecordedHistogram extends Histogram {
  readonly #config: Config;

  constructor(config: Config, registry: Registry) {
    const { name, help, labelNames = [] } = config;
    super({ name, help, labelNames, registers: [registry] });
    this.#config = config;
  }

  override async get() {
    const { name, help, read } = this.#config;
    const values = [...read()].flatMap((recorded) => toValues(name, recorded));
    return { name, help, type: 'histogram', values, aggregator: 'sum' } as unknown as Awaited<
      ReturnType<Histogram['get']>
    >;
  }

  /** What the registry calls instead of `get` to make text. */
  getForPromString() {
    return this.get();
  }
}

function toValues(name: string, { labels, durations: { counts, sumMs } }: Recorded) {
  let count = 0;
  const buckets = counts.map((inBucket, bucket) => {
    count += inBucket;
    const bound = DURATION_BOUNDS_MS[bucket];
    const le = bound === undefined ? '+Inf' : bound / 1000;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
