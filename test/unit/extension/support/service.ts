import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountResponse } from '../../../../shared/accounts/account.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { CreatedLinkRecord } from '../../../../shared/links/link-record.ts';

export type Call = {
  path: string;
  token: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
};

/** A fault to inject into a call. */
export type Fault =
  /** The link is created, but the connection breaks before the response. */
  | { kind: 'lost_answer' }
  | { kind: 'failure'; status: number; code: ErrorCode; more?: object; retryAfterSeconds?: number }
  /** A page in place of a response of the API, such as a proxy's error page. */
  | { kind: 'page'; status: number };

export type Service = {
  origin: string;
  /** All calls, oldest first. */
  calls: Call[];
  shortenCalls(): Call[];
  /** The links that exist, even if the response got lost. */
  links: CreatedLinkRecord[];
  /** The tokens of the accounts that exist. */
  tokens: Set<string>;
  /** Faults of the next calls, one each. */
  faults: Fault[];
  /** The response of `/api/account`. */
  account: AccountResponse['data'];
  /** The response of `/api/health`; null for the page of another program. */
  health: object | 'never' | null;
  /** The response of a proxy in place of the server. */
  proxyAnswer: { status: number; headers?: Record<string, string> } | undefined;
  /** Delay before each response in milliseconds. */
  delayMs: number;
  /** Responses to `/api/shorten` wait for it. */
  held: Promise<void> | undefined;
  /** Whether to close every connection immediately. */
  isAway: boolean;
  /** Additional response headers. */
  headers: Record<string, string>;
  stop(): Promise<void>;
};

const ACCOUNT: AccountResponse['data'] = {
  name: '',
  created: '2030-01-01T00:00:00.000Z',
  domain: 's.example',
  links: 0,
  quota: { limit: 1000, used: 0, remaining: 1000, resetsAt: '2030-02-01T00:00:00.000Z' },
  rate: { limit: 10, remaining: 10, resetsInSeconds: 0 },
  tokens: [],
};

/**
 * A small server that implements the parts of the API that a client sees: tokens, idempotency keys and
 * responses over real HTTP. It can inject faults that a real server cannot produce on demand.
 */
export async function startService(): Promise<Service> {
  const answered = new Map<string, { body: string; data: CreatedLinkRecord }>();

  const server = createServer(async (request, response) => {
    if (service.isAway) return void request.destroy();
    const call = await readCall(request);
    service.calls.push(call);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader(
      'access-control-allow-headers',
      'authorization, content-type, idempotency-key',
    );
    response.setHeader(
      'access-control-expose-headers',
      ['retry-after', ...Object.keys(service.headers)].join(', '),
    );
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (service.proxyAnswer) {
      const { status, headers } = service.proxyAnswer;
      return void response.writeHead(status, headers).end('<h1>Proxy</h1>');
    }
    if (call.path === '/api/health') {
      if (service.health === 'never') return;
      if (service.health) return json(response, 200, service.health);
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    }
    if (call.path === '/api/account') {
      if (!service.tokens.has(call.token ?? '')) return fail(response, 401, 'invalid_token');
      return json(response, 200, { success: true, message: 'Yours.', data: service.account });
    }
    if (call.path === '/api/shorten') return shorten(call, response);
    return fail(response, 404, 'not_found');
  });

  async function shorten(call: Call, response: ServerResponse) {
    const fault = service.faults.shift();
    for (const [name, value] of Object.entries(service.headers)) response.setHeader(name, value);
    await service.held;
    if (service.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, service.delayMs));
    if (fault?.kind === 'failure') {
      if (fault.retryAfterSeconds !== undefined) {
        response.setHeader('retry-after', String(fault.retryAfterSeconds));
      }
      return fail(response, fault.status, fault.code, fault.more);
    }
    if (fault?.kind === 'page') {
      return void response.writeHead(fault.status).end('<h1>Bad gateway</h1>');
    }
    if (call.token !== undefined && !service.tokens.has(call.token)) {
      return fail(response, 401, 'invalid_token');
    }
    const key = `${call.token ?? 'anonymous'} ${call.idempotencyKey}`;
    const before = answered.get(key);
    if (before && before.body !== call.body) return fail(response, 422, 'idempotency_mismatch');
    const data = before?.data ?? createLink(call);
    answered.set(key, { body: call.body, data });
    if (fault?.kind === 'lost_answer') return void response.destroy();
    return json(response, 200, { success: true, message: 'Made.', data });
  }

  function createLink({ token, body }: Call): CreatedLinkRecord {
    const request = JSON.parse(body);
    const alias = request.customAlias ?? `link${service.links.length + 1}`;
    const authToken = token ?? `curt_token-${service.tokens.size + 1}`;
    service.tokens.add(authToken);
    const now = new Date().toISOString();
    const link: CreatedLinkRecord = {
      id: String(service.links.length + 1),
      alias,
      shortUrl: `${service.origin}/${alias}`,
      originalUrl: request.originalUrl,
      customAlias: request.customAlias ?? '',
      domain: new URL(service.origin).host,
      title: request.title ?? '',
      description: request.description ?? null,
      hasPassword: request.password !== undefined,
      isActive: true,
      manyWrongPasswords: false,
      status: 'active',
      expiresAt: request.expiresAt ?? null,
      hits: 0,
      rules: [],
      startsAt: null,
      hideUntilStart: false,
      goneUrl: null,
      card: null,
      maxVisits: null,
      forwardQuery: false,
      customGtmId: request.customGtmId ?? null,
      tags: [],
      previousAliases: [],
      waitTimer: request.waitTimer ?? 0,
      created: now,
      modified: now,
      version: 1,
      authToken,
      ...(token === undefined && { newAuthToken: authToken }),
    };
    service.links.push(link);
    return link;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: Service = {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls: [],
    shortenCalls: () => service.calls.filter(({ path }) => path === '/api/shorten'),
    links: [],
    tokens: new Set(),
    faults: [],
    account: ACCOUNT,
    health: { status: 'ok', service: 'curt', version: '0.1.0' },
    proxyAnswer: undefined,
    delayMs: 0,
    held: undefined,
    isAway: false,
    headers: {},
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

async function readCall(request: IncomingMessage): Promise<Call> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const key = request.headers['idempotency-key'];
  return {
    path: request.url ?? '',
    token: request.headers.authorization?.replace(/^Bearer /, ''),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    body,
  };
}

function fail(response: ServerResponse, status: number, code: ErrorCode, more?: object) {
  json(response, status, { success: false, message: `ErrorActions: ${code}.`, code, ...more });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
