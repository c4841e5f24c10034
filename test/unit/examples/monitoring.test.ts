import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createRegistry } from '../../../server/metrics/registry.ts';
import { Traffic } from '../../../server/metrics/traffic.ts';
import { openStore } from '../../../server/store/tools/open.ts';
import { ERROR_CODES } from '../../../shared/errors.ts';
import { parseQuery } from './promql.ts';

type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
};
type Rule = {
  alert: string;
  expr: string;
  labels: object;
  annotations: { summary: string; description: string };
};

const DOCS = join(import.meta.dirname, '../../../docs');
/** Prometheus adds them to everything that it reads. */
const OWN_METRICS = ['up'];
const OWN_LABELS = ['instance', 'job', 'le'];

const dashboard = JSON.parse(await readFile(join(DOCS, 'examples/grafana-dashboard.json'), 'utf8'));
const panels: Panel[] = dashboard.panels;
const operating = await readFile(join(DOCS, 'operating.md'), 'utf8');
const alerts = parse(await readFile(join(DOCS, 'examples/prometheus-alerts.yaml'), 'utf8'));
const rules: Rule[] = alerts.groups.flatMap((group: { rules: Rule[] }) => group.rules);

const folder = await mkdtemp(join(tmpdir(), 'curt-metrics-'));
const store = await openStore(`file:${folder}`, {
  onError: (error) => {
    throw error;
  },
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
const registry = createRegistry({
  traffic: new Traffic(),
  store,
  memory: { usedBytes: 1, limitBytes: 2 },
});
const metrics = registry.getMetricsAsArray() as unknown as {
  name: string;
  type: string;
  labelNames: string[];
}[];
const ownNames = metrics.map(({ name }) => name).filter((name) => name.startsWith('curt_'));

/** The labels of each metric, by the names under which Prometheus stores it. */
const known = new Map(
  metrics.flatMap(({ name, type, labelNames }) => {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix) => [name + suffix, labelNames] as const);
  }),
);

const queries = [
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

describe('the query of', () => {
  test.each(queries)('%s has metrics and labels that the server exports: %s', (_, query) => {
    const { selectors, groupedBy } = parseQuery(query);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, labels } of selectors) {
      if (OWN_METRICS.includes(metric)) continue;
      expect([...known.keys()]).toContain(metric);
      const names = [...OWN_LABELS, ...(known.get(metric) ?? [])];
      for (const name of [...Object.keys(labels), ...groupedBy]) expect(names).toContain(name);
      for (const code of labels.code?.split('|') ?? []) expect(ERROR_CODES).toContain(code);
    }
  });

  test('an unknown metric or an invalid expression would be found', () => {
    expect(parseQuery('rate(no_such_metric[5m])').selectors[0]?.metric).toBe('no_such_metric');
    expect(known.has('no_such_metric')).toBe(false);
    expect(() => parseQuery('sum(rate(up[5m])')).toThrow('not valid');
  });
});

describe('the Grafana dashboard', () => {
  test('lays out its panels side by side, each with an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken).not.toContain(`${x} ${y}`);
          taken.add(`${x} ${y}`);
        }
      }
    }
  });

  test('asks for the data source and the server', () => {
    const names = dashboard.templating.list.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['datasource', 'instance']);
  });

  test.each(ownNames)('shows %s', (name) => {
    expect(JSON.stringify(panels)).toContain(name);
  });
});

describe('docs/operating.md', () => {
  test.each(ownNames)('describes the metric %s', (name) => {
    expect(operating).toContain(`\`${name}\``);
  });
});

test('each alert has a name of its own, a severity, a summary, and says what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { labels, annotations } of rules) {
    expect(labels).toMatchObject({ severity: expect.stringMatching(/^(critical|warning)$/) });
    expect(annotations.summary).not.toBe('');
    expect(annotations.description).toMatch(/\w.*\.$/);
  }
});
