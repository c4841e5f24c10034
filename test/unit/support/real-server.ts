import { type Client, createClient } from '../../../shared/client.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { BASE_URL, startService, type TestService } from '../../api/support.ts';
import { dataOf } from '../../support/data-of.ts';

export type RealServer = TestService & {
  origin: string;
  /** A client of the server, whatever the origin, as for another browser with the same account. */
  client: Client;
  /** The same, with the token of an account. */
  clientOf(token: string): Client;
  /** Creates a link. The first one creates the account. */
  create(request: ShortenRequest, token?: string): Promise<string>;
  /** Whether requests fail as without a network. */
  isAway: boolean;
  /** The paths of all requests so far. */
  paths: string[];
};

/** The real app and a client that is connected to it without a network. */
export async function startRealServer(): Promise<RealServer> {
  const service = await startService();
  const clientOf = (token?: string) =>
    createClient({
      baseUrl: BASE_URL,
      token,
      fetch: async (input, init) => {
        if (server.isAway) throw new TypeError('Failed to fetch');
        const { pathname, search } = new URL(String(input));
        server.paths.push(`${init?.method} ${pathname}${search}`);
        const response = await service.app.inject({
          method: init?.method as 'GET',
          url: pathname + search,
          headers: init?.headers as Record<string, string>,
          ...(init?.body && { payload: await payloadOf(init.body) }),
        });
        return new Response(response.body || null, {
          status: response.statusCode,
          headers: response.headers as Record<string, string>,
        });
      },
    });
  const server: RealServer = {
    ...service,
    origin: BASE_URL,
    isAway: false,
    paths: [],
    client: clientOf(),
    clientOf,
    async create(request, token) {
      return dataOf(await server.client.createLink({ body: request, token })).authToken;
    },
  };
  return server;
}

async function payloadOf(body: BodyInit): Promise<Buffer | string> {
  return body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : String(body);
}
