import type { AdminClient } from '../../../../shared/client/admin-methods.ts';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import type { ServerOptions } from '../../server/connection.ts';

/**
 * A client with the administrator's token.
 *
 * @throws CliError if there is none
 */
export async function connectAsAdmin(
  context: Context,
  options: ServerOptions,
): Promise<{ client: AdminClient; server: string }> {
  const { connect } = await import('../../server/connection.ts');
  const { createAdministratorClient } = await import('../../server/clients.ts');
  const { server, adminToken } = await connect(context, options);
  if (adminToken !== undefined) {
    return { client: await createAdministratorClient(server, adminToken), server };
  }
  throw new CliError(
    'token_required',
    `No administrator's token is known for ${server}. Run \`curt token ${server} --admin\`, or set ADMIN_TOKEN to that of the server.`,
    'unauthorized',
  );
}
