import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ShortDomains } from '../../domains/short-domains.ts';
import { addressOf } from '../../limits/client-ip.ts';
import { createForwardedHost, createForwardedIp } from '../../limits/forwarded-ip.ts';
import { addressKey } from '../../limits/limit-key.ts';
import type { MemoryStore } from '../../limits/memory-store.ts';
import type { UnnamedProxy } from '../../limits/unnamed-proxy.ts';
import type { Traffic } from '../../metrics/traffic.ts';
import type { Store } from '../../store/store.ts';
import { classifyVisit, showsPreview } from '../../visits/classify-visit.ts';
import type { FindPlainLink } from '../../visits/plain-links.ts';
import { REDIRECT_HEADERS } from '../../visits/send-to-target.ts';
import type { TargetChooser } from '../../visits/target-chooser.ts';
import { nameTarget, targetUrlOf } from '../../visits/target-url.ts';
import type { VisitRecorder } from '../../visits/visit-recorder.ts';
import { isNext } from '../../web/http/connections.ts';
import type { RequestLog } from '../../web/http/log/request-log.ts';

/** Alternating names and values, as `writeHead` takes them. */
const HEADERS = Object.entries(REDIRECT_HEADERS).flat();

type Options = {
  findPlainLink: FindPlainLink;
  chooseTarget: TargetChooser;
  store: Pick<Store, 'countHit'>;
  domains: ShortDomains;
  /** The limit on unknown aliases. */
  unknown: Pick<MemoryStore, 'hasFull' | 'isReached'>;
  proxy: UnnamedProxy;
  visits: Pick<VisitRecorder, 'record'> | undefined;
  traffic: Traffic;
  /** Proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted. */
  trustProxy: string[];
  /** Shared with the app, so that request ids are unique. */
  nextRequestId: () => string;
  log: RequestLog;
};

/**
 * Answers visits whose redirect is ready before they reach Fastify, because its router, hooks and
 * reply take longer than the rest of a redirect.
 *
 * Such a response is byte for byte the one of `short-link.ts`, and the same rules apply:
 * expiry, hits, the limit on unknown aliases, the log line. All other requests continue to Fastify.
 */
export class FastRedirects {
  readonly #options: Options;
  readonly #forwardedIp: (request: IncomingMessage) => string | undefined;
  readonly #forwardedHost: (request: IncomingMessage) => string | undefined;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#forwardedIp = createForwardedIp(options.trustProxy);
    this.#forwardedHost = createForwardedHost(options.trustProxy);
  }

  /** @param next listens to all other requests */
  before(next: RequestListener): RequestListener {
    return (request, response) => {
      if (!this.#answer(request, response)) next(request, response);
    };
  }

  /** For a server that is about to close: Fastify then adds `Connection: close` to its replies. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @returns whether the request was answered */
  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const {
      findPlainLink,
      chooseTarget,
      store,
      unknown,
      proxy,
      visits,
      traffic,
      nextRequestId,
      log,
    } = this.#options;
    const { method = '', url = '' } = request;
    if (this.#isStopped || (method !== 'GET' && method !== 'HEAD')) return false;
    const path = pathOf(url);
    const storedAlias = this.#storedAlias(path, request);
    const link = storedAlias === undefined ? undefined : findPlainLink(storedAlias);
    if (link === undefined || (link.forwardQuery && path !== url)) return false;
    // Otherwise `limitPipelining` decides.
    if (!isNext(response) || isUnusual(request)) return false;
    if (link.card !== null && showsPreview(request)) return false;
    const address = addressOf(this.#forwardedIp(request) ?? '');
    if (address === undefined) return false;
    if (unknown.hasFull && unknown.isReached(addressKey(address))) return false;

    proxy.observe(address, false);
    const visitClass = classifyVisit(request);
    if (visitClass === 'people') store.countHit(link.id);
    const target = targetUrlOf(link, chooseTarget(link, request, address.client));
    visits?.record(link.id, visitClass, request, address.client, nameTarget(link, target));
    // In the order in which Fastify sends them.
    response.writeHead(302, [...HEADERS, 'location', target, 'content-length', '0']).end();
    traffic.countFastRedirect(method, visitClass);
    if (log.logs(302)) {
      // Sent synchronously, so it took no time.
      log.add({ reqId: nextRequestId(), method, route: '/:alias', status: 302, ms: 0 });
    }
    return true;
  }

  /** @returns undefined if Fastify has to answer */
  #storedAlias(path: string, request: IncomingMessage): string | undefined {
    // Otherwise `/go.example/sale` would be a link of that domain.
    if (path.includes('/', 1)) return undefined;
    const { domains } = this.#options;
    const alias = path.slice(1);
    if (domains.isSingle) return alias;
    const domain = domains.ofHost(this.#forwardedHost(request));
    return domain.isRemoved ? undefined : domains.qualify(domain, alias);
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a header requires the checks of Fastify and the app's hooks. */
function isUnusual({ headers }: IncomingMessage): boolean {
  return (
    // Fastify rejects requests without it.
    headers.host === undefined ||
    headers.expect !== undefined ||
    // A body.
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined
  );
}
