import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { databaseData } from '../../api/data/database-data.ts';
import {
  checkMetrics,
  type ExpectedAlerts,
  Recording,
  SCRAPE_SECONDS,
  testRules,
} from '../../support/promtool.ts';
import { createLink, send, startServers } from './two-servers.ts';

type Rule = {
  alert: string;
  labels: object;
  annotations: { summary: string; description: string };
};

const RULES = join(import.meta.dirname, '../../../docs/examples/prometheus-alerts.yaml');
const LABELS = { job: 'curt', instance: 's.example.com:9464' };
/** What each alert has in addition to the labels of its rule. */
const OWN_LABELS: Record<string, object> = {
  CurtCannotWrite: LABELS,
  CurtWritesFail: LABELS,
  CurtServerErrors: { instance: LABELS.instance },
};

/** A server with a link, and what reads its metrics. */
async function startMeasured(url: string) {
  const [server] = await startServers(1, url, { METRICS_PORT: '0' });
  if (!server) throw new Error('the server must start');
  await createLink(server);
  const metricsUrl = () => /Metrics are at (\S+)/.exec(server.lines.join('\n'))?.[1] ?? '';
  await expect.poll(metricsUrl).not.toBe('');
  return { server, readMetrics: async () => (await fetch(metricsUrl())).text() };
}

const readingsIn = (minutes: number) => (minutes * 60) / SCRAPE_SECONDS;

test('the metrics follow the conventions of Prometheus', async () => {
  const { readMetrics } = await startMeasured((await databaseData()).url);
  await checkMetrics(await readMetrics());
});

test('the alerts report a database that is away, and end when it is back', async () => {
  const data = await databaseData();
  const { server, readMetrics } = await startMeasured(data.url);
  const recording = new Recording();
  const record = async (minutes: number, status: number) => {
    for (let reading = 0; reading < readingsIn(minutes); reading++) {
      const body = { originalUrl: 'https://example.com/page' };
      expect((await send(server, 'POST /api/shorten', { body })).status).toBe(status);
      recording.add(await readMetrics());
    }
  };

  await record(3, 200);
  await data.takeAway();
  await record(10, 503);
  await data.bringBack();
  await expect.poll(readMetrics).toMatch(/^curt_store_ready 1$/m);
  await record(12, 200);

  const groups: { rules: Rule[] }[] = parse(await readFile(RULES, 'utf8')).groups;
  const rules = groups.flatMap((group) => group.rules);
  const alertsAfter = (minutes: number, firing: string[]): ExpectedAlerts[] => {
    expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(firing));
    return rules.map(({ alert, labels, annotations }) => ({
      alertname: alert,
      eval_time: `${minutes}m`,
      exp_alerts: firing.includes(alert)
        ? [
            {
              exp_labels: { ...labels, ...OWN_LABELS[alert] },
              exp_annotations: {
                ...annotations,
                summary: annotations.summary.replace('{{ $labels.instance }}', LABELS.instance),
              },
            },
          ]
        : [],
    }));
  };
  await testRules(RULES, recording.toSeries(LABELS), [
    ...alertsAfter(2, []),
    ...alertsAfter(5, ['CurtCannotWrite', 'CurtWritesFail']),
    ...alertsAfter(12, ['CurtCannotWrite', 'CurtWritesFail', 'CurtServerErrors']),
    ...alertsAfter(24, []),
  ]);
});
