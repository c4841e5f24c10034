import type { Client, Failure, Result } from '../../../shared/client.ts';
import type { Session } from '../session/session.ts';
import { createRequestAhead } from './request-ahead.ts';

/** Whether the server knows from which country a visit comes. */
export async function knowsCountries({ call }: Pick<Api, 'call'>): Promise<boolean> {
  const health = await call((client) => client.health());
  return health.ok && health.data.hasCountries === true;
}

/** What the list needs of each link. */
export const LIST_QUERY = { include: 'visits30' } as const;

export type Api = ReturnType<typeof createApi>;

/** The server as the dashboard sees it: the only part that uses the network. */
export function createApi(session: Session, baseUrl: string) {
  let client: Promise<Client> | undefined;
  const ahead = createRequestAhead(baseUrl);

  /** Loads the client, for the first call or ahead of it. */
  function load(): Promise<Client> {
    client ??= import('./load-client.ts').then(({ newClient }) =>
      newClient({ baseUrl, fetch: ahead.take }),
    );
    return client;
  }

  /** Calls the server with a token, and changes nothing if it is invalid. */
  async function callWith<T>(
    token: string,
    run: (client: Client, token: string) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    try {
      return await run(await load(), token);
    } catch {
      client = undefined;
      return UNREACHABLE;
    }
  }

  /**
   * Calls the server with the account's token: `call((client, token) => client.account(token))`. Never
   * throws. If the token is no longer valid, the user is signed out.
   */
  async function call<T>(
    run: (client: Client, token: string) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const token = session.token.value;
    if (token === undefined) return SIGNED_OUT;
    const result = await callWith(token, run);
    // Meanwhile another account may have signed in.
    const isCurrent = session.token.value === token;
    if (!result.ok && result.code === 'invalid_token' && isCurrent)
      session.signOut('token_revoked');
    return result;
  }

  /** `call` for the account that is signed in now, until another one is. */
  function callOfAccount(): typeof call {
    const token = session.token.value;
    return async (run) => (session.token.value === token ? call(run) : SIGNED_OUT);
  }

  /** Requests the start of the list of links, so that it is there when the client is. */
  function sendListAhead(): void {
    ahead.send({ path: '/api/links', query: LIST_QUERY, token: session.token.value });
  }

  return { load, call, callOfAccount, callWith, sendListAhead };
}

/** A page may ask for more in the moment after its user signed out. Nothing is sent. */
export const SIGNED_OUT: Failure = {
  ok: false,
  code: 'token_required',
  message: 'Nobody is signed in.',
};

/** The client itself could not be loaded. */
export const UNREACHABLE: Failure = {
  ok: false,
  code: 'unreachable',
  message: 'The client could not be loaded.',
};
