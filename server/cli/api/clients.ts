import type { AdminClient } from '../../../shared/client/admin-methods.ts';
import type { Failure } from '../../../shared/client/result.ts';
import type { ExplainFailure } from '../../../shared/client/transport.ts';
import { type Client, createClient } from '../../../shared/client.ts';
import { explainNetwork } from './explain-network.ts';
import { checkToken, type SourcedToken } from './token-source.ts';

/**
 * A client whose error messages are for a command line.
 *
 * @param token the one that callers will send
 */
export function createUserClient(server: string, token: SourcedToken | undefined): Client {
  return createClient({ baseUrl: server, explain: explainFor(server, token, '') });
}

/** The same with the administrator's token. @throws CliError */
export async function createAdministratorClient(
  server: string,
  token: SourcedToken,
): Promise<AdminClient> {
  const { createAdminClient } = await import('../../../shared/client/admin-methods.ts');
  const options = { baseUrl: server, token: checkToken(token) };
  const explain = explainFor(server, token, ' --admin');
  const hasAdministrator = async () => {
    const blocks = await createAdminClient(options).listBlocks();
    return blocks.ok || blocks.code !== 'not_found';
  };
  return createAdminClient({
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

function explainFor(
  server: string,
  token: SourcedToken | undefined,
  option: string,
): ExplainFailure {
  return (failure, cause) => ({ ...failure, message: messageOf(failure, cause) });

  function messageOf({ code, message }: Failure, cause: unknown): string {
    if (code === 'unreachable') return `${message} ${explainNetwork(cause)}`;
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
