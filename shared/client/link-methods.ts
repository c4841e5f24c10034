import { type BatchRequest, type BatchResult, batchResponseSchema } from '../links/batch.ts';
import {
  type BulkResponse,
  bulkResponseSchema,
  type SentBulkChange,
  type SentBulkQuery,
} from '../links/bulk.ts';
import type { EditRequest } from '../links/edit-request.ts';
import {
  type LinkListResponse,
  linkListResponseSchema,
  type SentLinkListQuery,
} from '../links/link-list.ts';
import {
  type CreatedLinkRecord,
  type LinkRecord,
  shortenResponseSchema,
} from '../links/link-record.ts';
import { deletedLinkResponseSchema, linkResponseSchema } from '../links/link-responses.ts';
import type { ShortenRequest } from '../links/shorten-request.ts';
import { type TagCount, tagListResponseSchema } from '../links/tags.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export type Credentials = {
  /** Account token. A request without one creates an anonymous account. */
  token?: string | undefined;
  /** Makes retries safe: 16 to 255 visible ASCII characters, or a random UUID (version 4 or 7) if there is no token. */
  idempotencyKey?: string | undefined;
};

/** Which link, and who calls. */
export type LinkCall = {
  /** An alias or previous alias, in any case; on another domain with its host: `go.example/sale`. */
  alias: string;
  token: string;
  /** Fails with `version_mismatch` unless the link still has this `etag`. */
  ifMatch?: string | undefined;
};

export function linkMethods({ call, callForData }: Transport) {
  return {
    /** `POST /api/shorten`: creates a short link. */
    shorten(
      request: ShortenRequest,
      credentials: Credentials = {},
    ): Promise<Result<CreatedLinkRecord>> {
      const { token, idempotencyKey } = credentials;
      return callForData(
        {
          method: 'POST',
          path: '/api/shorten',
          token,
          headers: { 'idempotency-key': idempotencyKey },
          body: request,
        },
        shortenResponseSchema,
      );
    },

    /** `POST /api/links/batch`: creates up to 100 links, and returns their results in order. */
    shortenAll(
      body: BatchRequest,
      { token, idempotencyKey }: Credentials & { token: string },
    ): Promise<Result<BatchResult[]>> {
      const headers = { 'idempotency-key': idempotencyKey };
      const path = '/api/links/batch';
      return callForData({ method: 'POST', path, token, headers, body }, batchResponseSchema);
    },

    /** `GET /api/links`: a page of the account's links, with `nextCursor` and, on the first page, `total`. */
    listLinks(token: string, query: SentLinkListQuery = {}): Promise<Result<LinkListResponse>> {
      return call({ path: '/api/links', query, token }, linkListResponseSchema);
    },

    /** `GET /api/tags`: the account's tags with the number of links, the most used first. */
    listTags(token: string): Promise<Result<TagCount[]>> {
      return callForData({ path: '/api/tags', token }, tagListResponseSchema);
    },

    /** `PATCH /api/links`: changes the links that are named, or a page of those that match a filter. */
    changeLinks(
      token: string,
      body: SentBulkChange,
      query: SentBulkQuery = {},
    ): Promise<Result<BulkResponse>> {
      return call({ method: 'PATCH', path: '/api/links', query, token, body }, bulkResponseSchema);
    },

    /** `GET /api/links/:alias`. The result has the link's `etag`. */
    readLink({ alias, token }: LinkCall): Promise<Result<LinkRecord>> {
      return callForData({ ...toLink(alias), token }, linkResponseSchema);
    },

    /** `PATCH /api/links/:alias`: changes what is sent, and returns the link. */
    editLink(link: LinkCall, body: EditRequest): Promise<Result<LinkRecord>> {
      const request = { method: 'PATCH', ...toLink(link.alias), ...toSender(link), body } as const;
      return callForData(request, linkResponseSchema);
    },

    /** `DELETE /api/links/:alias`: visitors get 410. The link can be restored for 30 days. */
    deleteLink(link: LinkCall): Promise<Result<LinkRecord | null>> {
      const request = { method: 'DELETE', ...toLink(link.alias), ...toSender(link) } as const;
      return callForData(request, deletedLinkResponseSchema);
    },

    /** `DELETE /api/links/:alias?purge=true`: erases the link. */
    purgeLink(link: LinkCall): Promise<Result<LinkRecord | null>> {
      const { path, query: domain } = toLink(link.alias);
      const query = { ...domain, purge: true };
      return callForData(
        { method: 'DELETE', path, query, ...toSender(link) },
        deletedLinkResponseSchema,
      );
    },

    /** `POST /api/links/:alias/restore`. */
    restoreLink(link: LinkCall): Promise<Result<LinkRecord>> {
      const to = toLink(link.alias, '/restore');
      return callForData({ method: 'POST', ...to, ...toSender(link) }, linkResponseSchema);
    },

    /** `DELETE /api/links/:alias/aliases/:old`: removes a previous alias. */
    removeAlias(link: LinkCall, old: string): Promise<Result<LinkRecord>> {
      const to = toLink(link.alias, `/aliases/${encodeURIComponent(old)}`);
      return callForData({ method: 'DELETE', ...to, ...toSender(link) }, linkResponseSchema);
    },
  };
}

function toSender({ token, ifMatch }: LinkCall) {
  return { token, headers: { 'if-match': ifMatch } };
}

/** Path and query of a request about a link, see `LinkCall.alias`. */
export function toLink(address: string, below = '', above = '/api/links') {
  const slash = address.lastIndexOf('/');
  return {
    path: `${above}/${encodeURIComponent(address.slice(slash + 1))}${below}`,
    query: { domain: slash === -1 ? undefined : address.slice(0, slash) },
  };
}
