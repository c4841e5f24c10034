import type { AdminClient } from '../../../shared/client/admin-methods.ts';
import type { Failure } from '../../../shared/client/result.ts';
import type { ExplainFailure } from '../../../shared/client/transport.ts';
import { type Client, createClient } from '../../../shared/client.ts';
import { explainNetwork } from './explain-network.ts';
import { checkToken, type GivenToken } from './given-token.ts';

/**
 * A client whose failures say what to do on a command line.
 *
 * @param given the token that callers will send
 */
export function createUserClient(server: string, given: GivenToken | undefined): Client {
  return createClient({ baseUrl: server, explain: explainFor(server, given, '') });
}

/** The same with the administrator's token. @throws CliError */
export async function createAdministratorClient(
  server: string,
  given: GivenToken,
): Promise<AdminClient> {
  const { createAdminClient } = await import('../../../shared/client/admin-methods.ts');
  const options = { baseUrl: server, token: checkToken(given) };
  const explain = explainFor(server, given, ' --admin');
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

function explainFor(server: string, given: GivenToken | undefined, option: string): ExplainFailure {
  return (failure, cause) => ({ ...failure, message: messageOf(failure, cause) });

  function messageOf({ code, message }: Failure, cause: unknown): string {
    if (code === 'unreachable') return `${message} ${explainNetwork(cause)}`;
    if (code === 'token_required') {
      return `${server} requires an account. Run \`curt token ${server}\`, or set CURT_TOKEN.`;
    }
    if (code !== 'invalid_token' || !given) return message;
    const why = option
      ? "It must be the server's ADMIN_TOKEN."
      : 'It was revoked, or is for another server.';
    const what = `${server} does not accept the token ${given.place}. ${why}`;
    return given.variable === undefined
      ? `${what} Run \`curt token ${server}${option}\` and enter another one.`
      : `${what} Change ${given.variable}, or unset it and run \`curt token ${server}${option}\`.`;
  }
}
