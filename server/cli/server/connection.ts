import type { Client } from '../../../shared/client.ts';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { createUserClient } from './clients.ts';
import {
  type Credentials,
  changeCredentials,
  readCredentials,
  type Tokens,
} from './credentials.ts';
import { checkToken, type GivenToken } from './given-token.ts';

/** Without a protocol: such servers have no certificate. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\/?$/i;
const DEFAULT_SERVER = 'http://localhost:2878';

export type ServerOptions = { server?: string };

/** `replace`: also if there is a token, or if another server is the default. */
type SaveOptions = { replace: boolean };

/** A server and the tokens for it. */
export type Connection = {
  server: string;
  client: Client;
  /** Undefined if there is none. */
  token: GivenToken | undefined;
  adminToken: GivenToken | undefined;
  /** What is stored. */
  credentials: Credentials;
  /**
   * Stores a token for this server.
   *
   * @returns whether it is stored: false if there is one already, unless the token is to replace it
   */
  save: (tokens: Tokens, options?: SaveOptions) => Promise<boolean>;
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
  const token = fromEnvironment('CURT_TOKEN', environment.token) ?? fromFile(path, stored?.token);
  return {
    server,
    client: createUserClient(server, token),
    token,
    adminToken:
      fromEnvironment('ADMIN_TOKEN', environment.adminToken) ?? fromFile(path, stored?.adminToken),
    credentials,
    save: (tokens, options) => saveTokens(path, server, tokens, options),
  };
}

async function saveTokens(
  path: string,
  server: string,
  tokens: Tokens,
  { replace }: SaveOptions = { replace: false },
): Promise<boolean> {
  let isStored = false;
  await changeCredentials(path, (stored) => {
    const before = stored.servers[server];
    if (before?.token !== undefined && !replace) return undefined;
    isStored = true;
    return {
      ...stored,
      server: replace ? server : (stored.server ?? server),
      servers: { ...stored.servers, [server]: { ...before, ...tokens } },
    };
  });
  return isStored;
}

function fromEnvironment(
  variable: 'CURT_TOKEN' | 'ADMIN_TOKEN',
  token: string | undefined,
): GivenToken | undefined {
  return token === undefined ? undefined : { token, place: `in ${variable}`, variable };
}

function fromFile(path: string, token: string | undefined): GivenToken | undefined {
  return token === undefined ? undefined : { token, place: `in ${path}` };
}

/** @throws CliError if there is no token */
export async function connectWithToken(context: Context, options: ServerOptions) {
  const { client, server, token } = await connect(context, options);
  if (token !== undefined) return { client, server, token: checkToken(token) };
  throw new CliError(
    'token_required',
    `No token is known for ${server}. Run \`curt token ${server}\`, or set CURT_TOKEN.`,
    'unauthorized',
  );
}

/** @throws CliError if it is not the address of a server */
export function toOrigin(address: string): string {
  const protocol = LOOPBACK.test(address) ? 'http' : 'https';
  const text = /^[a-z]+:\/\//i.test(address) ? address : `${protocol}://${address}`;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new CliError(
    'invalid_server',
    `The server must be an address without a path, such as https://s.example.com, not "${address}".`,
    'usage',
  );
}
