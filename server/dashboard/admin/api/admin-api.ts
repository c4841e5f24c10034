import type { Result } from '../../../../shared/client.ts';
import { SIGNED_OUT, UNREACHABLE } from '../../api/api.ts';
import type { Session } from '../../session/session.ts';
import type { AdminClient, IdentityClient } from './load-admin-client.ts';

export type AdminApi = ReturnType<typeof createAdminApi>;
type Loaded = typeof import('./load-admin-client.ts');

/** Creates the API as the administrator's pages see it: the only part that uses the network. */
export function createAdminApi(session: Session, baseUrl: string) {
  let loaded: Promise<Loaded> | undefined;

  /** Loads the client, for the first call or ahead of it. */
  function load(): Promise<Loaded> {
    loaded ??= import('./load-admin-client.ts');
    return loaded;
  }

  async function attempt<T>(run: (loaded: Loaded) => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await run(await load());
    } catch {
      loaded = undefined;
      return UNREACHABLE;
    }
  }

  /** Calls the server with a token, and changes nothing if it is invalid. Never throws. */
  function callWith<T>(token: string, run: (client: AdminClient) => Promise<Result<T>>) {
    return attempt(({ newAdminClient }) => run(newAdminClient(baseUrl, token)));
  }

  /** Calls the server as the administrator, who is signed out if the token is no longer valid. */
  async function call<T>(run: (client: AdminClient) => Promise<Result<T>>): Promise<Result<T>> {
    const token = session.token.value;
    if (token === undefined) return SIGNED_OUT;
    const result = await callWith(token, run);
    const isCurrent = session.token.value === token;
    if (!result.ok && result.code === 'invalid_token' && isCurrent)
      session.signOut('token_revoked');
    return result;
  }

  /** Asks the proxy who somebody is. */
  function callAsPerson<T>(run: (client: IdentityClient) => Promise<Result<T>>) {
    return attempt(({ newIdentityClient }) => run(newIdentityClient(baseUrl)));
  }

  return { load, call, callWith, callAsPerson };
}
