import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../server/config.ts';
import { VERSION } from '../../server/lib/shipped-files.ts';
import { startMetrics } from '../../server/metrics/metrics-server.ts';
import { Traffic } from '../../server/metrics/traffic.ts';
import { StoreUnavailableError } from '../../server/store/store.ts';
import { visit } from './raw-http.ts';
import { makeLink, shorten, startService } from './support.ts';

/** Values by metric and labels, such as `curt_visits_total{class="people"}`. */
type Metrics = Map<string, number>;

async function startMeasured(env: Record<string, string> = {}) {
  const traffic = new Traffic();
  const service = await startService({ env, traffic });
  const { store } = service;
  const settings = readSettings({ METRICS_PORT: '0' });
  const memory = { usedBytes: 300, limitBytes: 500 };
  const { clock: time } = service;
  const server = await startMetrics({ settings, traffic, store, memory, time });
  if (!server) throw new Error('there are no metrics');
  onTestFinished(() => server.close());
  const readText = async () => (await fetch(server.url)).text();
  const readMetrics = async (): Promise<Metrics> =>
    new Map(
      [...(await readText()).matchAll(/^([a-z]\S*) (\S+)$/gm)].map(([, name = '', value]) => [
        name,
        Number(value),
      ]),
    );
  return { ...service, url: server.url, readText, readMetrics };
}

describe('GET /metrics', () => {
  test('has requests by method, route and status', async () => {
    const service = await startMeasured();
    const { addLink } = service.store;
    service.store.addLink = async (link) => {
      await service.clock.advance(40);
      return addLink(link);
    };
    await makeLink(service, { customAlias: 'plain' });
    for (let times = 0; times < 3; times++) await visit(service, '/plain');
    await visit(service, '/plain', { method: 'HEAD' });
    await visit(service, '/unknown');
    const metrics = await service.readMetrics();
    const name = 'curt_http_request_duration_seconds';
    const countOf = (labels: string) => metrics.get(`${name}_count{${labels}}`);
    expect(countOf('method="GET",route="/:alias",status="302"')).toBe(3);
    expect(countOf('method="HEAD",route="/:alias",status="302"')).toBe(1);
    expect(countOf('method="GET",route="/:alias",status="404"')).toBe(1);
    expect(countOf('method="POST",route="/api/shorten",status="200"')).toBe(1);
    const created = 'method="POST",route="/api/shorten",status="200"';
    expect(metrics.get(`${name}_bucket{${created},le="+Inf"}`)).toBe(1);
    const buckets = [...metrics]
      .filter(([key]) => key.startsWith(`${name}_bucket{${created}`))
      .map(([, count]) => count);
    expect(buckets.length).toBeGreaterThan(10);
    // Each has the requests of all buckets before it.
    expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
    expect(metrics.get(`${name}_sum{${created}}`)).toBe(0.04);
  });

  test('has redirects, visits by class, new links and errors by code', async () => {
    const service = await startMeasured({ RATE_LIMIT_PER_MINUTE: '1' });
    const { authToken: token } = await makeLink(service, { customAlias: 'plain' });
    await shorten(service, {}, { token });
    expect((await shorten(service, {}, { token })).statusCode).toBe(429);
    await visit(service, '/plain');
    await visit(service, '/plain', { method: 'HEAD' });
    await visit(service, '/unknown');
    expect(Object.fromEntries(await service.readMetrics())).toMatchObject({
      [`curt_build_info{version="${VERSION}"}`]: 1,
      curt_redirects_total: 2,
      'curt_visits_total{class="people"}': 1,
      'curt_visits_total{class="previews"}': 1,
      'curt_visits_total{class="bots"}': 0,
      'curt_links_created_total{source="api"}': 1,
      'curt_errors_total{code="invalid_request"}': 1,
      'curt_errors_total{code="rate_limited"}': 1,
      'curt_errors_total{code="not_found"}': 1,
      'curt_errors_total{code="internal"}': 0,
    });
  });

  test('has the store, and what Node.js knows of the process', async () => {
    const service = await startMeasured();
    const before = await service.readMetrics();
    await makeLink(service);
    const after = await service.readMetrics();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('curt_store_sync_duration_seconds_count')).toBeGreaterThan(0);
    expect(grown('curt_store_data_bytes')).toBeGreaterThan(100);
    expect(after.get('curt_store_data_bytes')).toBeGreaterThan(100);
    expect(Object.fromEntries(after)).toMatchObject({
      curt_store_pending_changes: 0,
      curt_store_failed_writes_total: 0,
      curt_store_journal_bytes: expect.any(Number),
      'curt_store_compactions_total{result="completed"}': 0,
      'curt_store_compactions_total{result="failed"}': 0,
      process_resident_memory_bytes: expect.any(Number),
      nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    });
  });

  test('does not grow with what clients make up, and has nothing private', async () => {
    const service = await startMeasured();
    const { authToken, id } = await makeLink(service, { customAlias: 'private-alias' });
    const methods = ['GET', 'POST', 'PROPFIND', 'MKCOL', 'LINK'];
    const askFor = async (word: string) => {
      for (const method of methods) {
        for (const path of ['/', '/api/', '/api/links/', '/assets/', '/x/y/']) {
          await visit(service, `${path}${word}`, { method });
        }
      }
    };
    await visit(service, '/private-alias');
    await askFor('first');
    // Node.js's own also grow with each kind of garbage collection.
    const ownNames = async () =>
      [...(await service.readMetrics()).keys()].filter((name) => name.startsWith('curt_'));
    const names = await ownNames();
    expect(names.length).toBeGreaterThan(10);
    await askFor('second');
    methods.splice(2, 3, 'REPORT', 'PURGE', 'SEARCH');
    await askFor('third');
    expect(await ownNames()).toEqual(names);
    const text = await service.readText();
    for (const secret of [authToken, id, 'private-alias', 'first', '127.0.0.1']) {
      expect(text).not.toContain(secret);
    }
  });

  test('says whether changes can be saved, also if the store does not answer', async () => {
    const { clock, readMetrics, store, url } = await startMeasured();
    const readyOf = async () => (await readMetrics()).get('curt_store_ready');
    expect(await readyOf()).toBe(1);
    const { checkWritable } = store;
    store.checkWritable = () => Promise.reject(new StoreUnavailableError('full'));
    expect(await readyOf()).toBe(0);
    store.checkWritable = () => new Promise(() => {});
    const isWaiting = clock.waitFor(3000);
    const ready = readyOf();
    await isWaiting;
    await clock.advance(3000);
    expect(await ready).toBe(0);
    store.checkWritable = () => Promise.reject(new Error('broken'));
    expect((await fetch(url)).status).toBe(500);
    store.checkWritable = checkWritable;
    expect(await Promise.all([readyOf(), readyOf()])).toEqual([1, 1]);
  });

  test('is in the format that Prometheus reads', async () => {
    const { url } = await startMeasured();
    const { status, headers } = await fetch(url);
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });

  test('answers with 500 if a value cannot be read, and works again afterwards', async () => {
    const { url, store } = await startMeasured();
    const { metrics } = store;
    store.metrics = () => {
      throw new Error('broken');
    };
    expect((await fetch(url)).status).toBe(500);
    store.metrics = metrics;
    expect((await fetch(url)).status).toBe(200);
  });

  test('is all there is on its port', async () => {
    const { url } = await startMeasured();
    for (const path of ['/', '/metrics/', '/api/health']) {
      expect((await fetch(new URL(path, url))).status).toBe(404);
    }
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  });
});
