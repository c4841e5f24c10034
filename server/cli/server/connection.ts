import { type Client, createClient } from '../../../shared/client.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type Credentials, readCredentials, type Tokens, writeCredentials } from './credentials.ts';

const DEFAULT_SERVER = 'http://localhost:2878';

export type ServerOptions = { server?: string };

/** A server and the tokens for it. */
export type Connection = {
  server: string;
  client: Client;
  /** Undefined if there is none. */
  token: string | undefined;
  adminToken: string | undefined;
  /** What is stored. */
  credentials: Credentials;
  /** Stores a token for this server. @param asDefault also if another server was the default */
  save: (tokens: Tokens, options?: { asDefault: boolean }) => Promise<void>;
};

/**
 * The server that a command talks to: `--server`, then `CURT_SERVER`, then the stored one. Tokens come
 * from the environment, or from the file if they were stored for this very server.
 */
export async function connect(
  { environment, output }: Context,
  options: ServerOptions,
): Promise<Connection> {
  const path = environment.credentialsPath;
  const credentials = await readCredentials(path, (text) => output.warn(text));
  const server = toOrigin(
    options.server ?? environment.server ?? credentials.server ?? DEFAULT_SERVER,
  );
  const stored = credentials.servers[server];
  return {
    server,
    client: createClient({ baseUrl: server }),
    token: environment.token ?? stored?.token,
    adminToken: environment.adminToken ?? stored?.adminToken,
    credentials,
    save: (tokens, { asDefault } = { asDefault: false }) =>
      writeCredentials(path, {
        ...credentials,
        server: asDefault ? server : (credentials.server ?? server),
        servers: { ...credentials.servers, [server]: { ...stored, ...tokens } },
      }),
  };
}

/** @throws CliError if there is no token */
export async function connectWithToken(context: Context, options: ServerOptions) {
  const { client, server, token } = await connect(context, options);
  if (token !== undefined) return { client, server, token };
  throw new CliError(
    'token_required',
    `No token is known for ${server}. Run \`curt token ${server}\`, or set CURT_TOKEN.`,
    'unauthorized',
  );
}

/** @throws CliError if it is not the address of a server */
export function toOrigin(address: string): string {
  const text = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new CliError(
    'invalid_server',
    `The server must be an address without a path, such as https://s.example.com, not "${address}".`,
    'usage',
  );
}
