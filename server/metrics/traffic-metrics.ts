import type { Registry } from 'prom-client';
import { ERROR_CODES } from '../../shared/errors.ts';
import { addMetric } from './add-metric.ts';
import { RecordedHistogram } from './recorded-histogram.ts';
import type { Traffic } from './traffic.ts';

export function addTrafficMetrics(registry: Registry, traffic: Traffic): void {
  new RecordedHistogram({
    registry,
    name: 'curt_http_request_duration_seconds',
    help: 'Requests and how long they took, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    *read() {
      for (const { durations, ...labels } of traffic.requests) yield { labels, durations };
    },
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_redirects_total',
    help: 'Redirects to targets.',
    read: () => traffic.redirects,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_visits_total',
    help: 'Visits of links, by class.',
    label: 'class',
    read: () => traffic.visits,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_links_created_total',
    help: 'New links, by source.',
    label: 'source',
    read: () => traffic.created,
  });
  addMetric(registry, {
    type: 'counter',
    name: 'curt_errors_total',
    help: 'Error responses, by code.',
    label: 'code',
    read: () =>
      Object.fromEntries(ERROR_CODES.map((code) => [code, traffic.errors.get(code) ?? 0])),
  });
}
