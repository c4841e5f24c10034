import { type Abilities, abilitiesOf } from '../../../shared/abilities.ts';
import { type Call, toRequest } from '../../../shared/client/request.ts';
import type { Failure } from '../../../shared/client.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkListResponse } from '../../../shared/links/link-list.ts';
import { lazyCode } from '../../../shared/ui/lazy.ts';
import type { Session } from '../session/session.ts';
import { createCalls, SIGNED_OUT } from './calls.ts';

/** Whether the server knows from which country a visit comes. */
export async function readAbilities({ call }: Pick<Api, 'call'>): Promise<Abilities> {
  return abilitiesOf(await call((client) => client.getHealth()));
}

/** What the list needs of each link. */
export const LIST_QUERY = { include: 'visits30' } as const;

export type Api = ReturnType<typeof createApi>;

/** Creates the API as the dashboard sees it: the only part that uses the network. */
export function createApi(session: Session, baseUrl: string) {
  const code = lazyCode(() => import('./load-client.ts'));
  const ahead = createRequestAhead(baseUrl);
  const { load, call, callWith } = createCalls(session, async () => {
    const { newClient } = await import('./load-client.ts');
    return (token) => newClient({ baseUrl, token, fetch: ahead.take });
  });

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
