import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { createClient } from '../../../../shared/client.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { CreatedLinkRecord } from '../../../../shared/links/link-record.ts';
import { dataOf } from '../../../support/data-of.ts';
import { ManualTime } from '../../../support/manual-time.ts';

export type Call = {
  path: string;
  token: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
};

/** What goes wrong with a call of `POST /api/shorten`. */
export type Fault =
  /** The link is created, but the connection breaks before the response. */
  | { kind: 'lost_answer' }
  /** The link is created, but the client stops waiting for the response. */
  | { kind: 'slow_answer' }
  | { kind: 'failure'; status: number; code: ErrorCode; retryAfterSeconds?: number }
  /** A page in place of a response of the API, such as a proxy's error page. */
  | { kind: 'page'; status: number };

/** The real server behind a network that fails as a test says. */
export class Service {
  /** All calls of the test, oldest first. */
  calls: Call[] = [];
  /** The links that these have created, even if the response got lost. */
  links: CreatedLinkRecord[] = [];
  /** How many accounts they have opened. */
  accounts = 0;
  /** Faults of the next calls, one each. */
  faults: Fault[] = [];
  /** The response of `/api/health` in place of the server's; null for the page of another program. */
  health: object | Promise<object> | 'never' | null | undefined;
  /** The response of a proxy in place of the server. */
  proxyAnswer: { status: number; headers?: Record<string, string> } | undefined;
  /** Responses to calls of `/api/shorten` from now on wait for it. */
  held: Promise<void> | undefined;
  /** Whether nobody answers. */
  isAway = false;
  /** Additional response headers of `/api/shorten`. */
  headers: Record<string, string> = {};

  #onCall = () => {};

  readonly origin: string;
  readonly #respond: (path: string, init: RequestInit) => Promise<Response>;

  constructor(origin: string, respond: (path: string, init: RequestInit) => Promise<Response>) {
    this.origin = origin;
    this.#respond = respond;
  }

  shortenCalls(): Call[] {
    return this.calls.filter(({ path }) => path === '/api/shorten');
  }

  /** Resolves once so many calls have reached a path. */
  called(count: number, about = '/api/shorten'): Promise<void> {
    return new Promise((resolve) => {
      this.#onCall = () => {
        if (this.calls.filter(({ path }) => path === about).length >= count) resolve();
      };
      this.#onCall();
    });
  }

  /** A client that no test notices. */
  #client() {
    const fetch: typeof globalThis.fetch = (input, init = {}) =>
      this.#respond(new URL(String(input)).pathname, init);
    return createClient({ baseUrl: this.origin, fetch });
  }

  /** Opens an account. @returns its token */
  async openAccount(): Promise<string> {
    const created = await this.#client().createLink({
      body: { originalUrl: 'https://example.com/' },
    });
    return dataOf(created).authToken;
  }

  /** Gives an account another token, and revokes the one before. */
  async rotateToken(before: string): Promise<string> {
    const client = this.#client();
    const { token } = dataOf(
      await client.createToken({ token: before, body: { name: 'New', scope: 'all' } }),
    );
    const all = dataOf(await client.listTokens({ token: before }));
    const { id = '' } = all.find(({ isCurrent }) => isCurrent) ?? {};
    dataOf(await client.revokeToken({ token, id }));
    return token;
  }

  async deleteAccount(token: string | undefined): Promise<void> {
    dataOf(await this.#client().deleteAccount({ token, body: { confirm: 'delete' } }));
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    if (this.isAway) throw new TypeError('Failed to fetch');
    const headers = new Headers(init.headers);
    this.calls.push({
      path,
      token: headers.get('authorization')?.replace(/^Bearer /, ''),
      idempotencyKey: headers.get('idempotency-key') ?? undefined,
      body: String(init.body ?? ''),
    });
    this.#onCall();
    const response = this.#answer(path, init);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    // The server gets on with a call whose client has stopped waiting.
    response.catch(() => {});
    return Promise.race([response, aborted]);
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    if (this.proxyAnswer) return new Response('<h1>Proxy</h1>', this.proxyAnswer);
    if (path === '/api/health' && this.health !== undefined) {
      if (this.health === 'never') return new Promise(() => {});
      if (this.health) return Response.json(await this.health);
      return new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } });
    }
    return path === '/api/shorten' ? this.#shorten(path, init) : this.#respond(path, init);
  }

  async #shorten(path: string, init: RequestInit): Promise<Response> {
    const fault = this.faults.shift();
    await this.held;
    if (fault?.kind === 'failure') {
      const { status, code, retryAfterSeconds: seconds } = fault;
      const body = { success: false, message: `ErrorActions: ${code}.`, code };
      const headers = { ...this.headers, ...(seconds && { 'retry-after': String(seconds) }) };
      return Response.json(body, { status, headers });
    }
    if (fault?.kind === 'page') {
      return new Response('<h1>Bad gateway</h1>', { status: fault.status });
    }
    const response = await this.#respond(path, init);
    const { data } = (await response.clone().json()) as { data?: CreatedLinkRecord };
    if (data && this.links.every(({ id }) => id !== data.id)) {
      this.links.push(data);
      if (data.newAuthToken) this.accounts += 1;
    }
    if (fault?.kind === 'lost_answer') throw new TypeError('Failed to fetch');
    if (fault?.kind === 'slow_answer') throw new DOMException('Timed out', 'TimeoutError');
    for (const [name, value] of Object.entries(this.headers)) response.headers.set(name, value);
    return response;
  }
}

/** For all files of a worker: loading it again for each takes longer than their tests. */
const worker = globalThis as { server?: ReturnType<typeof loadServer> };

async function loadServer() {
  const { buildApp } = await import('../../../../server/app.ts');
  const { readSettings } = await import('../../../../server/config.ts');
  const { openStore } = await import('../../../../server/store/tools/open.ts');
  return { buildApp, readSettings, openStore };
}

/** Starts the real server for the tests of a file, each of which gets an own network in front of it. */
export function useService(env: Record<string, string> = {}): () => Service {
  const origin = env.BASE_URL ?? 'http://localhost:2878';
  let respond: (path: string, init: RequestInit) => Promise<Response>;
  let stop: () => Promise<void>;
  let service: Service;

  beforeAll(async () => {
    worker.server ??= loadServer();
    const { buildApp, readSettings, openStore } = await worker.server;
    const folder = await mkdtemp(join(tmpdir(), 'curt-test-'));
    const time = new ManualTime();
    const store = await openStore(`file:${folder}`, {
      time,
      onError(error) {
        throw error;
      },
    });
    const app = await buildApp({
      settings: readSettings({
        BASE_URL: origin,
        RATE_LIMIT_PER_MINUTE: '10000',
        ANONYMOUS_PER_DAY: '10000',
        ...env,
      }),
      store,
      time,
      logStream: { write() {} },
    });
    respond = async (path, init) => {
      const { statusCode, body, headers } = await app.inject({
        method: init.method as 'GET',
        url: path,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.body && { payload: String(init.body) }),
      });
      return new Response(body || null, {
        status: statusCode,
        headers: headers as Record<string, string>,
      });
    };
    stop = async () => {
      await app.close();
      await store.close();
      await rm(folder, { recursive: true });
    };
  });
  afterAll(() => stop());

  beforeEach(() => {
    service = new Service(origin, respond);
    const others = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const { origin: called, pathname } = new URL(String(input));
      return called === origin ? service.fetch(pathname, init) : others(input, init);
    });
    return () => void vi.unstubAllGlobals();
  });
  return () => service;
}
