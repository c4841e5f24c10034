import {
  type Connection,
  checkToken,
  connect,
  createAdministratorClient,
  createUserClient,
  type SourcedToken,
} from '../api/connect.ts';
import type { UsedProxy } from '../api/proxies.ts';
import { CliError, succeed, usageError } from '../cli-error.ts';
import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../terminal/prompts.ts';

type TokenOptions = { admin?: boolean; show?: boolean; remove?: boolean };

export function addToken(program: CurtCommand, context: Context): void {
  program
    .command('token')
    .description('store a server and your sign-in key (token) for it, readable only by you')
    .argument('[server]', 'address of the server, such as https://s.example.com')
    .option('--admin', "the administrator's token, which is ADMIN_TOKEN of the server")
    .option('--show', 'list the servers that have a token, without showing the tokens')
    .option('--remove', 'remove what is stored for this server')
    .addHelpText(
      'after',
      '\nAsks for the token on a terminal, and otherwise reads it from standard input.',
    )
    .examples(
      'curt token https://s.example.com',
      'curt token https://s.example.com < token.txt',
      'curt token --admin < admin-token.txt',
    )
    .action(async (server: string | undefined, options: TokenOptions) => {
      const connection = await connect(context, server === undefined ? {} : { server });
      if (options.show) show(context, connection);
      else if (options.remove) await remove(context, connection);
      else await store(context, connection, options.admin ?? false);
    });
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
    const kinds = [...(token ? ['token'] : []), ...(adminToken ? ['administrator’s token'] : [])];
    return `${server}${isDefault ? ' (default)' : ''}: ${kinds.join(', ')}`;
  });
  output.result({ path, servers }, [path, ...lines]);
}

async function remove({ environment, output }: Context, connection: Connection): Promise<void> {
  const { server, credentials } = connection;
  const path = environment.credentialsPath;
  if (!credentials.servers[server]) {
    throw new CliError('not_stored', `Nothing is stored for ${server}. See \`curt token --show\`.`);
  }
  const { removeTokens } = await import('../api/credentials.ts');
  await removeTokens(path, server);
  output.result({ path, server }, `Removed what was stored for ${server}.`);
}

async function store({ environment, output }: Context, connection: Connection, isAdmin: boolean) {
  const { server, save } = connection;
  const entered = await readSecret(`${isAdmin ? 'Administrator token' : 'Token'} for ${server}`);
  if (entered === '') throw usageError('Enter the token, or send it to standard input.');
  const source = 'that you entered';
  const token = checkToken({ token: entered, source });
  const proxy = environment.proxyOf(server);
  await verify(server, proxy, { token, source }, isAdmin);
  await save(isAdmin ? { adminToken: token } : { token }, { replace: true });
  const path = environment.credentialsPath;
  output.result({ path, server }, `Stored in ${path}. Commands now use ${server}.`);
}

async function verify(
  server: string,
  proxy: UsedProxy | undefined,
  token: SourcedToken,
  isAdmin: boolean,
): Promise<void> {
  if (isAdmin)
    succeed(await (await createAdministratorClient(server, proxy, token)).adminListBlocks());
  else
    succeed(
      await (await createUserClient(server, proxy, token)).getAccount({ token: token.token }),
    );
}
