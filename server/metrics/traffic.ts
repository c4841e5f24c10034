import type { ErrorCode } from '../../shared/errors.ts';
import { DurationHistogram } from '../lib/duration-histogram.ts';
import type { VisitClass } from '../visits/visit-class.ts';

/** Others are counted together, because a client can send any. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The route of redirects that don't reach Fastify. */
const LINK_ROUTE = '/:alias';

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
  readonly #fastGets = this.#durations('GET', LINK_ROUTE, 302);
  readonly #fastHeads = this.#durations('HEAD', LINK_ROUTE, 302);

  get requests(): Iterable<RequestSeries> {
    return this.#requests.values();
  }

  countRequest(method: string, route: string, status: number, ms: number): void {
    this.#durations(METHODS.has(method) ? method : 'other', route, status).record(ms);
  }

  countRedirect(visitClass: VisitClass): void {
    this.redirects++;
    this.visits[visitClass]++;
  }

  /** A redirect that is sent at once, together with its request. */
  countFastRedirect(method: string, visitClass: VisitClass): void {
    (method === 'GET' ? this.#fastGets : this.#fastHeads).recordInstant();
    this.countRedirect(visitClass);
  }

  countError(code: ErrorCode): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  #durations(method: string, route: string, status: number): DurationHistogram {
    const key = `${method} ${route} ${status}`;
    let series = this.#requests.get(key);
    if (!series) {
      series = { method, route, status, durations: new DurationHistogram() };
      this.#requests.set(key, series);
    }
    return series.durations;
  }
}
