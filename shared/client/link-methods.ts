import { type Domain, domainListResponseSchema } from '../domains.ts';
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
import {
  type FilteredExportQuery,
  type ImportQuery,
  type ImportReport,
  type ImportStatus,
  importResponseSchema,
  importStatusResponseSchema,
} from '../links/transfer.ts';
import {
  type AccountStatistics,
  type AccountStatisticsQuery,
  accountStatisticsResponseSchema,
  type LinkStatistics,
  linkStatisticsResponseSchema,
  type StatisticsQuery,
} from '../statistics.ts';
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

/** Files are larger than other bodies. */
const TIMEOUT_MS = 5 * 60_000;

/** Everything that is omitted is detected, or off. */
export type ImportOptions = Partial<ImportQuery>;
type ImportRequest = ImportOptions & { file: Blob | string };

/** Returns the methods for links, their tags, files and statistics, and the domains that they can be on. */
export function linkMethods({ call, callForData, callForFile }: Transport) {
  return {
    /** `POST /api/shorten`: creates a short link. */
    createLink(
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
    createLinks(
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
    getLink({ alias, token }: LinkCall): Promise<Result<LinkRecord>> {
      return callForData({ ...toLink(alias), token }, linkResponseSchema);
    },

    /** `PATCH /api/links/:alias`: changes what is sent, and returns the link. */
    editLink(link: LinkCall, body: EditRequest): Promise<Result<LinkRecord>> {
      const request = { method: 'PATCH', ...toLink(link.alias), ...toSender(link), body } as const;
      return callForData(request, linkResponseSchema);
    },

    /**
     * `DELETE /api/links/:alias`: visitors get 410. The link can be restored for 30 days.
     *
     * @param purge erases it instead
     */
    deleteLink(
      link: LinkCall,
      { purge }: { purge?: true } = {},
    ): Promise<Result<LinkRecord | null>> {
      const { path, query: domain } = toLink(link.alias);
      const request = { method: 'DELETE', path, query: { ...domain, purge } } as const;
      return callForData({ ...request, ...toSender(link) }, deletedLinkResponseSchema);
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

    /** `GET /api/links/export`: the links of the account, or those that match, as a file. */
    exportLinks(
      token: string,
      query: FilteredExportQuery = { format: 'json', secrets: false },
    ): Promise<Result<Blob>> {
      return callForFile({ path: '/api/links/export', query, token, timeoutMs: TIMEOUT_MS });
    },

    /** `POST /api/links/import`: imports a file of up to 16 MiB and 10,000 rows. */
    importLinks(
      token: string,
      { file, mapping, ...options }: ImportRequest,
    ): Promise<Result<ImportReport>> {
      return callForData(
        {
          method: 'POST',
          path: '/api/links/import',
          query: { ...options, ...(mapping && { mapping: JSON.stringify(mapping) }) },
          token,
          file,
          timeoutMs: TIMEOUT_MS,
        },
        importResponseSchema,
      );
    },

    /** `GET /api/links/import`: how far the latest import is; null if there was none within a day. */
    getImport(token: string): Promise<Result<ImportStatus | null>> {
      return callForData({ path: '/api/links/import', token }, importStatusResponseSchema);
    },

    /** `DELETE /api/links/import`: lets the import end with what is added so far. */
    stopImport(token: string): Promise<Result<ImportStatus | null>> {
      return callForData(
        { method: 'DELETE', path: '/api/links/import', token },
        importStatusResponseSchema,
      );
    },

    /** `GET /api/links/:alias/stats`: visits of a link. */
    getLinkStatistics(
      token: string,
      alias: string,
      query: StatisticsQuery = {},
    ): Promise<Result<LinkStatistics>> {
      const { path, query: domain } = toLink(alias, '/stats');
      return callForData(
        { path, query: { ...query, ...domain }, token },
        linkStatisticsResponseSchema,
      );
    },

    /** `GET /api/stats`: visits of all links of the account, or of those with a tag. */
    getStatistics(
      token: string,
      query: AccountStatisticsQuery = {},
    ): Promise<Result<AccountStatistics>> {
      return callForData({ path: '/api/stats', query, token }, accountStatisticsResponseSchema);
    },

    /** `GET /api/domains`: the domains that the account may use, the default first. */
    listDomains(token?: string): Promise<Result<Domain[]>> {
      return callForData({ path: '/api/domains', token }, domainListResponseSchema);
    },
  };
}

function toSender({ token, ifMatch }: LinkCall) {
  return { token, headers: { 'if-match': ifMatch } };
}

/** Returns path and query of a request about a link, see `LinkCall.alias`. */
export function toLink(address: string, below = '', above = '/api/links') {
  const slash = address.lastIndexOf('/');
  return {
    path: `${above}/${encodeURIComponent(address.slice(slash + 1))}${below}`,
    query: { domain: slash === -1 ? undefined : address.slice(0, slash) },
  };
}
