import type { Failure, Result } from '../../../shared/client.ts';
import type { Session } from '../session/session.ts';

/**
 * Creates the calls of a page, with the token of its session. Its client is larger than the rest, and loaded for the
 * first call or ahead of it.
 */
export function createCalls<C>(
  session: Session,
  loadClient: () => Promise<(token: string | undefined) => C>,
) {
  let loaded: ReturnType<typeof loadClient> | undefined;

  /** Loads the client. */
  function load(): ReturnType<typeof loadClient> {
    loaded ??= loadClient();
    return loaded;
  }

  /** Calls the server with a token, and changes nothing if it is invalid. Never throws. */
  async function callWith<T>(
    token: string | undefined,
    run: (client: C) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    try {
      const newClient = await load();
      return await run(newClient(token));
    } catch {
      loaded = undefined;
      return UNREACHABLE;
    }
  }

  /**
   * Calls the server as whoever is signed in: `call((client) => client.getAccount())`. Never throws. If the token is
   * no longer valid, the user is signed out.
   */
  async function call<T>(run: (client: C) => Promise<Result<T>>): Promise<Result<T>> {
    const token = session.token.value;
    if (token === undefined) return SIGNED_OUT;
    const result = await callWith(token, run);
    // Meanwhile another account may have signed in.
    const isCurrent = session.token.value === token;
    if (!result.ok && result.code === 'invalid_token' && isCurrent)
      session.signOut('token_revoked');
    return result;
  }

  return { load, call, callWith };
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
