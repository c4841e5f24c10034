import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import autocannon, { type Request } from 'autocannon';
import type { Load, LoadOptions, Requests } from './generator.ts';

/** Generates one load in this process and reports its result. Used if wrk is not available. */
const { baseUrl, requests, options } = JSON.parse(process.argv[2] ?? '') as {
  baseUrl: string;
  requests: Requests;
  options: LoadOptions;
};
const result = await autocannon({
  url: baseUrl,
  connections: options.connections,
  duration: options.seconds,
  requests: toRequests(requests),
});
const load: Load = {
  answers: result.requests.total,
  seconds: result.duration,
  p99Ms: result.latency.p99,
  errorStatuses: result['4xx'] + result['5xx'],
};
process.send?.(load);

function toRequests(requests: Requests): Request[] {
  if (requests.method !== 'POST') {
    const { method, paths, userAgent } = requests;
    const all = readFileSync(paths, 'utf8').trim().split('\n');
    // It prepares every request for every connection, which works for about a thousand.
    return all.slice(0, 1000).map((path) => {
      return { method, path, headers: { 'user-agent': userAgent } };
    });
  }
  const { token, kind } = requests;
  const originalUrl = `https://example.com/${'p'.repeat(64)}`;
  return [
    {
      method: 'POST',
      path: '/api/shorten',
      setupRequest: (request) => ({
        ...request,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...(kind === 'idempotent' && { 'idempotency-key': randomUUID() }),
        },
        body: JSON.stringify({ originalUrl }),
      }),
    },
  ];
}
