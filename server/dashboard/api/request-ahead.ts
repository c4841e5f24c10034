import { type Call, toRequest } from '../../../shared/client/request.ts';

/** Sends a request while the client that is going to make it is still loading. */
export function createRequestAhead(baseUrl: string) {
  let sent: { name: string; response: Promise<Response> } | undefined;

  function send(call: Call): void {
    const [url, init] = toRequest(call, { baseUrl });
    const response = fetch(url, init);
    // An error is for whoever takes the response.
    response.catch(() => {});
    sent = { name: nameOf(url, init), response };
  }

  /** Like `fetch`, but the first time takes the response to the same request that was sent ahead. */
  function take(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
    const ahead = sent;
    if (ahead?.name !== nameOf(url, init)) return fetch(url, init);
    sent = undefined;
    return ahead.response;
  }

  return { send, take };
}

function nameOf(url: RequestInfo | URL, { method, headers }: RequestInit = {}): string {
  return `${method} ${url} ${new Headers(headers).get('authorization')}`;
}
