import { onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../../e2e/support/servers/server.ts';

/** A person's browser: others are not counted as people. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Starts server processes that share a database, until the test ends. */
export async function startServers(
  count: number,
  url: string,
  settings: Record<string, string> = {},
): Promise<RunningServer[]> {
  const env = { STORE_URL: url, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'warn', ...settings };
  const servers = await Promise.all(Array.from({ length: count }, () => startServer({ env })));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  return servers;
}

type RequestOptions = {
  /** The client's address, as a proxy on this machine forwards it. */
  from?: string;
  /** The host that the client named. @default that of the server */
  host?: string;
  token?: string;
  /** The idempotency key. */
  key?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
};

/** Sends a request to a server, such as `POST /api/shorten`. Redirects are not followed. */
export function send(
  { baseUrl }: RunningServer,
  request: string,
  { from = '192.0.2.1', host, token, key, body, form }: RequestOptions = {},
): Promise<Response> {
  const [method = '', path = ''] = request.split(' ');
  return fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      'user-agent': BROWSER,
      'x-forwarded-for': from,
      ...(host !== undefined && { 'x-forwarded-host': host }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: new URLSearchParams(form) }),
  });
}

/** Creates a link, which must succeed. */
export async function createLink(
  server: RunningServer,
  body: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<{ alias: string; authToken: string }> {
  const link = { originalUrl: 'https://example.com/page', ...body };
  const response = await send(server, 'POST /api/shorten', { ...options, body: link });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no link was created: ${text}`);
  return JSON.parse(text).data;
}
