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
  const { createAdminClient } = await import('../../../../shared/client/admin-methods.ts');
  const { connect } = await import('../../server/connection.ts');
  const { server, adminToken } = await connect(context, options);
  if (adminToken !== undefined) {
    return { client: createAdminClient({ baseUrl: server, token: adminToken }), server };
  }
  throw new CliError(
    'token_required',
    `No administrator token is known for ${server}. Set ADMIN_TOKEN, or run \`curt token ${server} --admin\`.`,
    'unauthorized',
  );
}
