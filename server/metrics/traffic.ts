import type { ErrorCode } from '../../shared/errors.ts';
import { DurationHistogram } from '../lib/time.ts';
import type { VisitClass } from '../visits/user-agent.ts';

/** Others are counted together, because a client can send any. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Requests with the same method, route and status. */
export type RequestSeries = {
  method: string;
  /** The pattern, or `none` if no route matched. */
  route: string;
  status: number;
  durations: DurationHistogram;
};

/**
 * Counts what the server has done since it started, for the log and the metrics. It knows numbers
 * only: no alias, no account and no address.
 */
export class Traffic {
  /** People that were sent to a target, and previews and bots that asked for a link. */
  readonly visits: Record<VisitClass, number> = { people: 0, previews: 0, bots: 0 };
  /** Responses with a redirect to a target. */
  redirects = 0;
  /** New links, by the way they were created. Repeated requests with the same key do not count. */
  readonly created = { api: 0, import: 0 };
  /** Error responses, by their code. */
  readonly errors = new Map<ErrorCode, number>();
  readonly #requests = new Map<string, RequestSeries>();

  get requests(): Iterable<RequestSeries> {
    return this.#requests.values();
  }

  countRequest(method: string, route: string, status: number, ms: number): void {
    const name = METHODS.has(method) ? method : 'other';
    const key = `${name} ${route} ${status}`;
    let series = this.#requests.get(key);
    if (!series) {
      series = { method: name, route, status, durations: new DurationHistogram() };
      this.#requests.set(key, series);
    }
    series.durations.record(ms);
  }

  countRedirect(visitClass: VisitClass): void {
    this.redirects++;
    this.visits[visitClass]++;
  }

  countError(code: ErrorCode): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
