import type { LinkRecord } from '../link-record.ts';
import type { ShortenRequest } from '../shorten-request.ts';
import { shortenResponseOfAnyServer } from './older-servers.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export type Credentials = {
  /** Account token. A request without one creates an anonymous account. */
  token?: string | undefined;
  /** Makes retries safe: 16 to 255 visible ASCII characters, or a UUID if there is no token. */
  idempotencyKey?: string | undefined;
};

export function linkMethods({ callForData }: Transport) {
  return {
    /** `POST /api/shorten`: creates a short link. */
    shorten(request: ShortenRequest, credentials: Credentials = {}): Promise<Result<LinkRecord>> {
      const { token, idempotencyKey } = credentials;
      return callForData(
        {
          method: 'POST',
          path: '/api/shorten',
          token,
          headers: { 'idempotency-key': idempotencyKey },
          body: request,
        },
        shortenResponseOfAnyServer,
      );
    },
  };
}
