import { type Abilities, abilitiesOf } from '../../../shared/abilities.ts';
import { type Call, toRequest } from '../../../shared/client/request.ts';
import type { Client, Failure, Result } from '../../../shared/client.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkListResponse } from '../../../shared/links/link-list.ts';
import { lazyCode } from '../../../shared/ui/lazy.ts';
import type { Session } from '../session/session.ts';

/** Whether the server knows from which country a visit comes. */
export async function readAbilities({ call }: Pick<Api, 'call'>): Promise<Abilities> {
  return abilitiesOf(await call((client) => client.getHealth()));
}

/** What the list needs of each link. */
export const LIST_QUERY = { include: 'visits30' } as const;

export type Api = ReturnType<typeof createApi>;

/** Creates the API as the dashboard sees it: the only part that uses the network. */
export function createApi(session: Session, baseUrl: string) {
  let client: Promise<Client> | undefined;
  const code = lazyCode(() => import('./load-client.ts'));
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

  const startOfList = (): Call => ({
    path: '/api/links',
    query: LIST_QUERY,
    token: session.token.value,
  });

  /** Requests the start of the list of links, which does not wait for the client. */
  const sendListAhead = () => ahead.send(startOfList());

  /**
   * The start of the list, if it was requested ahead, so that rows are shown before the client is there,
   * which is larger than they are. It comes from the server that has sent this code, and is not parsed by
   * schemas. Any other response is left to the client, which says what is wrong.
   */
  async function takeListAhead(): Promise<LinkListResponse | undefined> {
    const body = await ahead.takeJson(startOfList());
    const list = body as LinkListResponse | undefined;
    return list?.success === true && Array.isArray(list.data) ? list : undefined;
  }

  /** What went wrong with links, in the shown language. The texts of failures come with the client. */
  function explain(failure: Failure): Promise<string> {
    return code.use(
      ({ explainLinkFailure }) => explainLinkFailure(failure, baseUrl),
      () => {
        const text = t('unreachable_text', new URL(baseUrl).host);
        return t('title_and_text', t('unreachable_title'), text);
      },
    );
  }

  return { explain, load, call, callOfAccount, callWith, sendListAhead, takeListAhead };
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

type Sent = {
  name: string;
  response: Promise<Response>;
  /** Aborted once the time for the request is over, also if nobody has taken the response. */
  signal: RequestInit['signal'];
};

/** Sends a request while the client that is going to make it is still loading. */
export function createRequestAhead(baseUrl: string) {
  let sent: Sent | undefined;

  function send(call: Call): void {
    const [url, init] = toRequest(call, { baseUrl });
    const response = fetch(url, init);
    // An error is for whoever takes the response.
    response.catch(() => {});
    sent = { name: nameOf(url, init), response, signal: init.signal };
  }

  /** Like `fetch`, but the first time takes the response to the same request that was sent ahead. */
  function take(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
    const ahead = sent?.name === nameOf(url, init) ? sent : undefined;
    // After a change, the response is no longer what the server would say.
    if (ahead || init?.method !== 'GET') sent = undefined;
    return ahead && !ahead.signal?.aborted ? ahead.response : fetch(url, init);
  }

  /** The body of the response to the same request, once, if it is JSON of a request that succeeded. */
  async function takeJson(call: Call): Promise<unknown> {
    const ahead = sent;
    if (ahead?.name !== nameOf(...toRequest(call, { baseUrl }))) return undefined;
    try {
      const response = await ahead.response;
      if (!response.ok) return undefined;
      const body = await response.clone().json();
      if (sent !== ahead) return undefined;
      sent = undefined;
      return body;
    } catch {
      return undefined;
    }
  }

  return { send, take, takeJson };
}

function nameOf(url: RequestInfo | URL, { method, headers }: RequestInit = {}): string {
  return `${method} ${url} ${new Headers(headers).get('authorization')}`;
}
