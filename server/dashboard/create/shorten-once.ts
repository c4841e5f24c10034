import type { Result } from '../../../shared/client.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import type { Api } from '../api/api.ts';

/** Creates links so that trying again after a lost response creates no second one. */
export function createShortener(api: Pick<Api, 'call'>) {
  /** The key of a request that may have arrived although its response did not. */
  let unanswered: { body: string; key: string } | undefined;

  return async (request: ShortenRequest): Promise<Result<LinkRecord>> => {
    const body = JSON.stringify(request);
    if (unanswered?.body !== body) unanswered = { body, key: newKey() };
    const idempotencyKey = unanswered.key;
    const result = await api.call((client) => client.createLink({ body: request, idempotencyKey }));
    if (!result.ok) return result;
    unanswered = undefined;
    const { authToken: _, newAuthToken: __, isReused: ___, ...data } = result.data;
    return { ...result, data };
  };
}

/** Not `crypto.randomUUID`, which plain HTTP lacks. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
