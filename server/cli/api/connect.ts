import type { AdminClient } from '../../../shared/api/client.ts';
import type { Failure } from '../../../shared/client/result.ts';
import type { ExplainFailure } from '../../../shared/client/transport.ts';
import type { Client } from '../../../shared/client.ts';
import { hidePassword } from '../../lib/hide-password.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Credentials, SaveOptions, Tokens } from './credentials.ts';
import type { UsedProxy } from './proxies.ts';

/** Addresses without a protocol whose servers have no certificate. */
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

/** A server, and a client with the token of an account there. */
export type AccountConnection = { server: string; client: Client };

/**
 * Finds the server that a command talks to: `--server`, then `CURT_SERVER`, then the stored one. Tokens come from
 * the environment, or from the file if they were stored for this very server.
 */
export async function connect(
  { environment, output }: Context,
  options: ServerOptions,
): Promise<Connection> {
  const { readCredentials, saveTokens } = await import('./credentials.ts');
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
    client: await createUserClient(server, environment.proxyOf(server), token),
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
  const { server, token } = await connect(context, options);
  if (token) {
    const proxy = context.environment.proxyOf(server);
    return { server, client: await createUserClient(server, proxy, token, checkToken(token)) };
  }
  throw new CliError(
    'token_required',
    `No token is known for ${server}. Run \`curt token ${server}\`, or set CURT_TOKEN.`,
    'unauthorized',
  );
}

/** Creates a client with the administrator's token. @throws CliError if there is none */
export async function connectAsAdmin(
  context: Context,
  options: ServerOptions,
): Promise<{ client: AdminClient; server: string }> {
  const { server, adminToken } = await connect(context, options);
  if (adminToken) {
    const proxy = context.environment.proxyOf(server);
    return { client: await createAdministratorClient(server, proxy, adminToken), server };
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
    `The server must be an address without a path, such as https://s.example.com, not "${hidePassword(address)}".`,
    'invalid_server',
  );
}

/** Other characters, such as a line break in the middle, can't be part of a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** A token, and where the user has put it. */
export type SourcedToken = {
  token: string;
  /** Such as `in CURT_TOKEN`. */
  source: string;
  /** The environment variable with the token. */
  variable?: 'CURT_TOKEN' | 'ADMIN_TOKEN';
};

/** Returns the token to send. @throws CliError if no server could have such a token */
export function checkToken({ token, source }: SourcedToken): string {
  const trimmed = token.trim();
  if (TOKEN.test(trimmed)) return trimmed;
  throw new CliError(
    'invalid_token',
    `The token ${source} has a space, a line break or another character that no token has. Copy the token again, and nothing else.`,
    'unauthorized',
  );
}

const CERTIFICATE_ERROR = /CERT|SIGNATURE|HOSTNAME_MISMATCH/;

/** In the messages of undici, which has no other place for it. */
const PROXY_STATUS = /\((\d{3})\)/;

const EXPLANATIONS = new Map(
  Object.entries<string>({
    ENOTFOUND: 'This name is unknown. Check how it is spelled, and the DNS server of this machine',
    EAI_AGAIN: 'The DNS server of this machine does not respond. Check its network',
    ECONNREFUSED: 'No program listens there. Check the port, and whether the program is running',
    EHOSTUNREACH: 'There is no way to this address. Check the network',
    ENETUNREACH: 'There is no way to this address. Check the network',
  }),
);

/**
 * Explains why a request got no response, and what to do.
 *
 * @param error what `fetch` has thrown
 * @param proxy the one that the request went through
 */
export function explainNetwork(error: unknown, proxy?: UsedProxy): string {
  const { cause, code, message } = readCause(error);
  const isOfServer = CERTIFICATE_ERROR.test(code) || code.startsWith('ERR_SSL_');
  if (proxy && !isOfServer) return explainProxy(cause, proxy);
  const known = EXPLANATIONS.get(code);
  if (known !== undefined) return `${known} (${code}).`;
  if (CERTIFICATE_ERROR.test(code)) {
    return `Its certificate is not valid: ${message} (${code}). If it is from an authority of your own, name that one's file in NODE_EXTRA_CA_CERTS.`;
  }
  if (code.startsWith('ERR_SSL_')) {
    return `It does not answer in TLS (${code}). Check the port, or use http:// instead of https://.`;
  }
  return code === '' ? `${message}.` : `${message} (${code}).`;
}

/** What an error was caused by. The codes of undici can be numbers. */
function readCause(error: unknown) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return { cause, code: String(code), message };
}

/** What is wrong with a proxy: nothing else was connected to. */
function explainProxy(error: unknown, { url, variable }: UsedProxy): string {
  const name = `The proxy ${url} (${variable})`;
  const { code, message } = readCause(error);
  const [, status] = PROXY_STATUS.exec(message) ?? [];
  if (status === '407') {
    return `${name} requires a username and a password. Set them in ${variable}: http://user:password@host:port.`;
  }
  if (status !== undefined) return `${name} refuses the connection, with status ${status}.`;
  const known = EXPLANATIONS.get(code);
  if (known !== undefined) return `${name} does not respond. ${known} (${code}).`;
  return `${name} does not pass the request on: ${message} (${code}).`;
}

/**
 * Creates a client whose error messages are for a command line.
 *
 * @param source the token that calls are about, for what is said of a failure
 * @param token the one to send with all calls
 */
export async function createUserClient(
  server: string,
  proxy: UsedProxy | undefined,
  source: SourcedToken | undefined,
  token?: string,
): Promise<Client> {
  const { createClient } = await import('../../../shared/client.ts');
  return createClient({ baseUrl: server, token, explain: explainFor(server, proxy, source, '') });
}

/** Creates the same with the administrator's token. @throws CliError */
export async function createAdministratorClient(
  server: string,
  proxy: UsedProxy | undefined,
  token: SourcedToken,
): Promise<AdminClient> {
  const { createApiClient } = await import('../../../shared/api/client.ts');
  const { ADMIN_ENDPOINTS } = await import('../../../shared/api/admin-endpoints.ts');
  const options = { baseUrl: server, token: checkToken(token) };
  const explain = explainFor(server, proxy, token, ' --admin');
  const hasAdministrator = async () => {
    const blocks = await createApiClient(ADMIN_ENDPOINTS, options).adminListBlocks();
    return blocks.ok || blocks.code !== 'not_found';
  };
  return createApiClient(ADMIN_ENDPOINTS, {
    ...options,
    explain: async (failure, cause) => {
      // A server without administrator knows nothing of all this.
      if (failure.code === 'not_found' && !(await hasAdministrator())) {
        const message = `${server} has no administrator. Set ADMIN_TOKEN for the server, and restart it.`;
        return { ...failure, message };
      }
      return explain(failure, cause);
    },
  });
}

/** Failures that the proxy may be the cause of. */
const BEHIND_PROXY = new Set(['timeout', 'gateway_error', 'redirected', 'not_curt']);

/** What a proxy or firewall in front of a server means, which answers without it. */
function explainGateway(
  status: number | undefined,
  server: string,
): { code?: Failure['code']; message?: string } {
  const who = `A proxy in front of ${server}`;
  switch (status) {
    case 401:
      return {
        message: `${who} asks for credentials of its own (401), which this program does not have. Let the proxy pass /api on without them.`,
      };
    case 403:
      return {
        message: `${who} refuses this request (403). Let it pass on every method below /api, and check whether it blocks this network.`,
      };
    case 413:
      return {
        code: 'body_too_large',
        message: `${who} refuses a request of this size (413). Raise its limit (client_max_body_size in nginx), or split the file.`,
      };
    case 429:
      return {
        code: 'rate_limited',
        message: `${who} allows no more requests for now (429). Try again later.`,
      };
    default:
      return {};
  }
}

function explainFor(
  server: string,
  proxy: UsedProxy | undefined,
  token: SourcedToken | undefined,
  option: string,
): ExplainFailure {
  return (failure, cause) => {
    const explained: Failure =
      failure.code === 'not_curt'
        ? { ...failure, ...explainGateway(failure.status, server) }
        : failure;
    return { ...explained, message: messageOf(explained, cause) };
  };

  function messageOf({ code, message }: Failure, cause: unknown): string {
    if (code === 'unreachable') return `${message} ${explainNetwork(cause, proxy)}`;
    if (proxy && BEHIND_PROXY.has(code)) {
      return `${message} Requests go through the proxy ${proxy.url} (${proxy.variable}).`;
    }
    if (code === 'token_required') {
      return `${server} requires an account. Run \`curt token ${server}\`, or set CURT_TOKEN.`;
    }
    if (code !== 'invalid_token' || !token) return message;
    const why = option
      ? "It must be the server's ADMIN_TOKEN."
      : 'It was revoked, or is for another server.';
    const what = `${server} does not accept the token ${token.source}. ${why}`;
    return token.variable === undefined
      ? `${what} Run \`curt token ${server}${option}\` and enter another one.`
      : `${what} Change ${token.variable}, or unset it and run \`curt token ${server}${option}\`.`;
  }
}
