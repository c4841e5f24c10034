import type { AdminClient } from '../../../shared/client/admin-methods.ts';
import type { Client } from '../../../shared/client.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Credentials, SaveOptions, Tokens } from './credentials.ts';
import { checkToken, type SourcedToken } from './token-source.ts';

/** Without a protocol: such servers have no certificate. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\/?$/i;
const DEFAULT_SERVER = 'http://localhost:2878';

export type ServerOptions = { server?: string };

/** A server and the tokens for it. */
export type Connection = {
  server: string;
  client: Client;
  /** Undefined if there is none. */
  token: SourcedToken | undefined;
  adminToken: SourcedToken | undefined;
  /** What is stored. */
  credentials: Credentials;
  /** Stores a token for this server. @returns whether it is stored, see `saveTokens` */
  save: (tokens: Tokens, options?: SaveOptions) => Promise<boolean>;
};

/** An account of a server. */
export type AccountConnection = { server: string; client: Client; token: string };

/**
 * The server that a command talks to: `--server`, then `CURT_SERVER`, then the stored one. Tokens come
 * from the environment, or from the file if they were stored for this very server.
 */
export async function connect(
  { environment, output }: Context,
  options: ServerOptions,
): Promise<Connection> {
  const { readCredentials, saveTokens } = await import('./credentials.ts');
  const { createUserClient } = await import('./clients.ts');
  const path = environment.credentialsPath;
  const credentials = await readCredentials(path, (text) => output.warn(text));
  const server = toOrigin(
    options.server ?? environment.server ?? credentials.server ?? DEFAULT_SERVER,
  );
  const stored = credentials.servers[server];
  const find = (
    variable: 'CURT_TOKEN' | 'ADMIN_TOKEN',
    given: string | undefined,
    saved: string | undefined,
  ): SourcedToken | undefined => {
    if (given !== undefined) return { token: given, source: `in ${variable}`, variable };
    return saved === undefined ? undefined : { token: saved, source: `in ${path}` };
  };
  const token = find('CURT_TOKEN', environment.token, stored?.token);
  return {
    server,
    client: createUserClient(server, token),
    token,
    adminToken: find('ADMIN_TOKEN', environment.adminToken, stored?.adminToken),
    credentials,
    save: (tokens, saveOptions) => saveTokens(path, server, tokens, saveOptions),
  };
}

/** @throws CliError if there is no token */
export async function connectWithToken(
  context: Context,
  options: ServerOptions,
): Promise<AccountConnection> {
  const { client, server, token } = await connect(context, options);
  if (token) return { client, server, token: checkToken(token) };
  throw new CliError(
    'token_required',
    `No token is known for ${server}. Run \`curt token ${server}\`, or set CURT_TOKEN.`,
    'unauthorized',
  );
}

/** A client with the administrator's token. @throws CliError if there is none */
export async function connectAsAdmin(
  context: Context,
  options: ServerOptions,
): Promise<{ client: AdminClient; server: string }> {
  const { server, adminToken } = await connect(context, options);
  if (adminToken) {
    const { createAdministratorClient } = await import('./clients.ts');
    return { client: await createAdministratorClient(server, adminToken), server };
  }
  throw new CliError(
    'token_required',
    `No administrator's token is known for ${server}. Run \`curt token ${server} --admin\`, or set ADMIN_TOKEN to that of the server.`,
    'unauthorized',
  );
}

/** @throws CliError if it is not the address of a server */
function toOrigin(address: string): string {
  const protocol = LOOPBACK.test(address) ? 'http' : 'https';
  const text = /^[a-z]+:\/\//i.test(address) ? address : `${protocol}://${address}`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw usageError(
    `The server must be an address without a path, such as https://s.example.com, not "${address}".`,
    'invalid_server',
  );
}
