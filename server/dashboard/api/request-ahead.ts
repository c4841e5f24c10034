import { type Call, toRequest } from '../../../shared/client/request.ts';

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

  return { send, take };
}

function nameOf(url: RequestInfo | URL, { method, headers }: RequestInit = {}): string {
  return `${method} ${url} ${new Headers(headers).get('authorization')}`;
}
