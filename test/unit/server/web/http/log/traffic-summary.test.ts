import { expect, test } from 'vitest';
import { Traffic } from '../../../../../../server/metrics/traffic.ts';
import type { VisitClass } from '../../../../../../server/visits/user-agent.ts';
import { TrafficSummary } from '../../../../../../server/web/http/log/traffic-summary.ts';
import { ManualTime } from '../../../../../support/manual-time.ts';

function startSummary() {
  const traffic = new Traffic();
  const lines: unknown[] = [];
  const log = { info: (line: unknown) => lines.push(line) };
  const time = new ManualTime();
  const summary = new TrafficSummary({ traffic, log, time, takeUnlogged: () => ({}) });
  return { traffic, lines, summary, time };
}

function redirect(traffic: Traffic, method: string, visitClass: VisitClass): void {
  traffic.countRequest(method, '/:alias', 302, 0.1);
  traffic.countRedirect(visitClass);
}

test('each minute with requests has a line with what happened in that minute', () => {
  const { traffic, lines, summary, time } = startSummary();
  traffic.countRequest('POST', '/api/shorten', 200, 4);
  traffic.countRequest('POST', '/api/shorten', 429, 1.5);
  traffic.created.api++;
  for (let visits = 0; visits < 98; visits++) redirect(traffic, 'GET', 'people');
  time.advance(60_000);
  redirect(traffic, 'HEAD', 'previews');
  traffic.countRequest('GET', '/assets/curt.css', 200, 0.2);
  time.advance(60_000);
  traffic.countRequest('GET', '/api/health', 200, 1);
  traffic.countRequest('GET', '/api/health/ready', 503, 1);
  time.advance(60_000);
  summary.close();
  const seconds = 60;
  expect(lines).toEqual([
    {
      seconds,
      requests: { api: { '2xx': 1, '4xx': 1 }, links: { '3xx': 98 } },
      redirects: 98,
      created: 1,
      visits: { people: 98, previews: 0, bots: 0 },
      p50Ms: 0.5,
      p99Ms: 2.5,
    },
    {
      seconds,
      requests: { links: { '3xx': 1 }, other: { '2xx': 1 } },
      redirects: 1,
      created: 0,
      visits: { people: 0, previews: 1, bots: 0 },
      p50Ms: 0.5,
      p99Ms: 0.5,
    },
  ]);
});
