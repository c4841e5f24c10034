import type { FastifyBaseLogger } from 'fastify';
import { every, type Time } from '../../../../shared/time.ts';
import { quantileMs } from '../../../lib/time.ts';
import type { Traffic } from '../../../metrics/traffic.ts';

const EVERY_MS = 60_000;
/** Monitoring asks all the time, also if nobody uses the server. */
const HEALTH_CHECK = /^\/api\/health(\/|$)/;

type Options = {
  traffic: Traffic;
  log: Pick<FastifyBaseLogger, 'info'>;
  time: Time;
  /** Takes the numbers of failed requests without a line of their own, by route and status. */
  takeUnlogged: () => Record<string, number>;
};

/** What happened since the server started. */
type Totals = {
  /** Counts by class of the route and of the status, such as `links 3xx`. */
  requests: Map<string, number>;
  redirects: number;
  created: number;
  visits: Traffic['visits'];
  /** Requests per bucket of `DurationHistogram`. */
  durations: number[];
};

/**
 * Logs one line per minute with what the server did in that minute, unless it did nothing but answer
 * health checks. It takes the place of a line per request.
 */
export class TrafficSummary {
  readonly #options: Options;
  readonly #end: () => void;
  #last: Totals;
  #lastTime: number;

  constructor(options: Options) {
    this.#options = options;
    this.#last = totalsOf(options.traffic);
    this.#lastTime = options.time.monotonic();
    this.#end = every(options.time, EVERY_MS, () => this.log());
  }

  log(): void {
    const { traffic, log, time, takeUnlogged } = this.#options;
    const unlogged = takeUnlogged();
    const [before, now] = [this.#last, totalsOf(traffic)];
    const seconds = Math.round((time.monotonic() - this.#lastTime) / 1000);
    this.#last = now;
    this.#lastTime = time.monotonic();
    const requests = changedRequests(before.requests, now.requests);
    if (Object.keys(requests).length === 0) return;
    const durations = now.durations.map((count, bucket) => count - (before.durations[bucket] ?? 0));
    log.info(
      {
        seconds,
        requests,
        redirects: now.redirects - before.redirects,
        created: now.created - before.created,
        visits: {
          people: now.visits.people - before.visits.people,
          previews: now.visits.previews - before.visits.previews,
          bots: now.visits.bots - before.visits.bots,
        },
        p50Ms: quantileMs(durations, 0.5),
        p99Ms: quantileMs(durations, 0.99),
        ...(Object.keys(unlogged).length > 0 && { unlogged }),
      },
      'traffic',
    );
  }

  /** Logs the rest of the last minute. */
  close(): void {
    this.#end();
    this.log();
  }
}

function totalsOf({ requests, redirects, created, visits }: Traffic): Totals {
  const byClass = new Map<string, number>();
  const durations: number[] = [];
  for (const series of requests) {
    if (HEALTH_CHECK.test(series.route)) continue;
    const { counts } = series.durations;
    const key = `${routeClass(series.route)} ${Math.floor(series.status / 100)}xx`;
    for (const [bucket, count] of counts.entries()) {
      byClass.set(key, (byClass.get(key) ?? 0) + count);
      durations[bucket] = (durations[bucket] ?? 0) + count;
    }
  }
  return {
    requests: byClass,
    redirects,
    created: created.api + created.import,
    visits: { ...visits },
    durations,
  };
}

/** `api`, `links` for everything that starts with an alias, or `other`, such as pages and assets. */
function routeClass(route: string): string {
  if (/^\/api(\/|$)/.test(route)) return 'api';
  return route.startsWith('/:alias') ? 'links' : 'other';
}

/** Such as `{ links: { '3xx': 12 } }`; without zeros. */
function changedRequests(before: Map<string, number>, now: Map<string, number>) {
  const changed: Record<string, Record<string, number>> = {};
  for (const [key, count] of now) {
    const [route = '', status = ''] = key.split(' ');
    const added = count - (before.get(key) ?? 0);
    if (added > 0) changed[route] = { ...changed[route], [status]: added };
  }
  return changed;
}
