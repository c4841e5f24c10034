import type { Command } from 'commander';
import { CliError, succeed } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Connection, ServerOptions } from '../server/connection.ts';
import type { GivenToken } from '../server/given-token.ts';

type TokenOptions = { admin?: boolean; show?: boolean; remove?: boolean };

export function addToken(program: Command, context: Context): void {
  program
    .command('token')
    .description('store a server and your token for it, readable only by you')
    .argument('[server]', 'address of the server, such as https://s.example.com')
    .option('--admin', "the administrator's token, which is ADMIN_TOKEN of the server")
    .option('--show', 'show for which servers there are tokens, not the tokens themselves')
    .option('--remove', 'remove what is stored for this server')
    .addHelpText('after', EXAMPLES)
    .action((server: string | undefined, options: TokenOptions) => run(context, server, options));
}

async function run(context: Context, address: string | undefined, options: TokenOptions) {
  const { connect } = await import('../server/connection.ts');
  const server: ServerOptions = address === undefined ? {} : { server: address };
  const connection = await connect(context, server);
  if (options.show) show(context, connection);
  else if (options.remove) await remove(context, connection);
  else await store(context, connection, options.admin ?? false);
}

function show({ environment, output }: Context, { credentials }: Connection): void {
  const path = environment.credentialsPath;
  const servers = Object.entries(credentials.servers).map(([server, tokens]) => ({
    server,
    isDefault: server === credentials.server,
    token: tokens.token !== undefined,
    adminToken: tokens.adminToken !== undefined,
  }));
  const lines = servers.map(({ server, isDefault, token, adminToken }) => {
    const kinds = [...(token ? ['token'] : []), ...(adminToken ? ['administrator token'] : [])];
    return `${server}${isDefault ? ' (default)' : ''}: ${kinds.join(', ')}`;
  });
  output.result({ path, servers }, [path, ...lines]);
}

async function remove(context: Context, { server, credentials }: Connection): Promise<void> {
  const { changeCredentials } = await import('../server/credentials.ts');
  const path = context.environment.credentialsPath;
  if (!credentials.servers[server]) {
    throw new CliError('not_stored', `Nothing is stored for ${server}. See \`curt token --show\`.`);
  }
  await changeCredentials(path, (stored) => {
    const { [server]: _, ...servers } = stored.servers;
    const next = stored.server === server ? Object.keys(servers)[0] : stored.server;
    return { version: 1, servers, ...(next !== undefined && { server: next }) };
  });
  context.output.result({ path, server }, `Removed what was stored for ${server}.`);
}

async function store(context: Context, { server, save }: Connection, isAdmin: boolean) {
  const { readSecret } = await import('../terminal/read-secret.ts');
  const { checkToken } = await import('../server/given-token.ts');
  const entered = await readSecret(`${isAdmin ? 'Administrator token' : 'Token'} for ${server}`);
  if (entered === '') {
    throw new CliError('usage', 'Enter the token, or send it to standard input.', 'usage');
  }
  const given = { token: entered, place: 'that you entered' };
  const token = checkToken(given);
  await verify(server, { ...given, token }, isAdmin);
  await save(isAdmin ? { adminToken: token } : { token }, { replace: true });
  const path = context.environment.credentialsPath;
  context.output.result({ path, server }, `Stored in ${path}. Commands now use ${server}.`);
}

async function verify(server: string, given: GivenToken, isAdmin: boolean): Promise<void> {
  const { createAdministratorClient, createUserClient } = await import('../server/clients.ts');
  if (isAdmin) succeed(await (await createAdministratorClient(server, given)).listBlocks());
  else succeed(await createUserClient(server, given).account(given.token));
}

const EXAMPLES = `
Asks for the token on a terminal, and otherwise reads it from standard input.

Examples:
  $ curt token https://s.example.com
  $ curt token https://s.example.com < token.txt
  $ curt token --admin < admin-token.txt`;
