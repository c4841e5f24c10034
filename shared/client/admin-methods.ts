import { doneResponseSchema, type NewTokenRequest } from '../accounts/account-tokens.ts';
import { type AdminSessionResponse, adminSessionResponseSchema } from '../accounts/identity.ts';
import {
  type AdminAccount,
  type AdminAccountListResponse,
  type AdminToken,
  adminAccountListResponseSchema,
  adminAccountResponseSchema,
  adminTokenListResponseSchema,
  type EditAccountRequest,
  type NewAccountRequest,
  type NewAccountResponse,
  type NewAdminTokenResponse,
  newAccountResponseSchema,
  newAdminTokenResponseSchema,
  type ReassignResponse,
  reassignResponseSchema,
  type SentAdminAccountListQuery,
} from '../admin/accounts.ts';
import { type AuditResponse, auditResponseSchema, type SentAuditQuery } from '../admin/audit.ts';
import {
  type Block,
  type BlockKind,
  blockListResponseSchema,
  blockResponseSchema,
  type NewBlockRequest,
} from '../admin/blocks.ts';
import {
  type AdminDomain,
  adminDomainListResponseSchema,
  adminDomainResponseSchema,
  type EditDomainRequest,
  type NewDomainRequest,
  type RemoveDomainResponse,
  removeDomainResponseSchema,
  type SentRemoveDomainQuery,
} from '../admin/domains.ts';
import {
  type AdminLinkCountResponse,
  type AdminLinkListResponse,
  adminLinkCountResponseSchema,
  adminLinkListResponseSchema,
  type SentAdminLinkCountQuery,
  type SentAdminLinkListQuery,
} from '../admin/links.ts';
import {
  type ReportsResponse,
  reportsResponseSchema,
  type SentReportsQuery,
} from '../admin/reports.ts';
import {
  type Overview,
  overviewResponseSchema,
  type SystemResponse,
  systemResponseSchema,
} from '../admin/server.ts';
import type { FileFormat } from '../links/transfer-formats.ts';
import { toLink } from './link-methods.ts';
import type { Result } from './result.ts';
import { type ClientOptions, createTransport } from './transport.ts';

/** Exports and moves of many links take longer than other requests. */
const LONG_TIMEOUT_MS = 5 * 60_000;

type AdminClientOptions = ClientOptions & {
  /** The server's `ADMIN_TOKEN`, or the token of `POST /api/identity/admin`. */
  token: string;
};

export type AdminClient = ReturnType<typeof createAdminClient>;

/**
 * Creates a typed client for `/api/admin`, apart from `createClient`, so that nothing of it is part of the
 * extension. Its methods never throw. A server without `ADMIN_TOKEN` returns `not_found` for all of them.
 */
export function createAdminClient({ token, ...options }: AdminClientOptions) {
  const { call, callForData, callForFile } = createTransport(options);

  return {
    /** `GET /api/admin/accounts`: a page of accounts, newest first, with `nextCursor`. */
    listAccounts(query: SentAdminAccountListQuery = {}): Promise<Result<AdminAccountListResponse>> {
      return call({ path: ACCOUNTS, query, token }, adminAccountListResponseSchema);
    },

    /** `POST /api/admin/accounts`: the result has the account's first token. */
    createAccount(body: NewAccountRequest): Promise<Result<NewAccountResponse['data']>> {
      return callForData({ method: 'POST', path: ACCOUNTS, token, body }, newAccountResponseSchema);
    },

    /** `GET /api/admin/accounts/:id`. */
    getAccount(id: string): Promise<Result<AdminAccount>> {
      return callForData({ path: accountPath(id), token }, adminAccountResponseSchema);
    },

    /** `PATCH /api/admin/accounts/:id`: name, quota, or suspension. */
    editAccount(id: string, body: EditAccountRequest): Promise<Result<AdminAccount>> {
      const path = accountPath(id);
      return callForData({ method: 'PATCH', path, token, body }, adminAccountResponseSchema);
    },

    /** `GET /api/admin/accounts/:id/tokens`: all tokens of the account, oldest first. */
    listTokens(id: string): Promise<Result<AdminToken[]>> {
      return callForData({ path: tokensPath(id), token }, adminTokenListResponseSchema);
    },

    /** `POST /api/admin/accounts/:id/tokens`: the result has the new token. */
    createToken(id: string, body: NewTokenRequest): Promise<Result<NewAdminTokenResponse['data']>> {
      const request = { method: 'POST', path: tokensPath(id), token, body } as const;
      return callForData(request, newAdminTokenResponseSchema);
    },

    /** `DELETE /api/admin/accounts/:id/tokens/:tokenId`: also the last one. */
    revokeToken(id: string, tokenId: string): Promise<Result<null>> {
      const path = `${tokensPath(id)}/${encodeURIComponent(tokenId)}`;
      return callForData({ method: 'DELETE', path, token }, doneResponseSchema);
    },

    /**
     * `POST /api/admin/accounts/:id/reassign`: moves up to 1,000 links to another account. To be
     * repeated until `remaining` is 0; an interrupted move continues the same way.
     */
    reassignLinks(id: string, to: string): Promise<Result<ReassignResponse['data']>> {
      const path = `${accountPath(id)}/reassign`;
      const request = { method: 'POST', path, token, body: { to } } as const;
      return callForData({ ...request, timeoutMs: LONG_TIMEOUT_MS }, reassignResponseSchema);
    },

    /** `GET /api/admin/accounts/:id/export`: all links of the account, as a file. */
    exportLinks(
      id: string,
      query: { format?: FileFormat; secrets?: boolean } = {},
    ): Promise<Result<Blob>> {
      const path = `${accountPath(id)}/export`;
      return callForFile({ path, query, token, timeoutMs: LONG_TIMEOUT_MS });
    },

    /** `GET /api/admin/links`: a page of the links of all accounts, with `nextCursor`. */
    listLinks(query: SentAdminLinkListQuery = {}): Promise<Result<AdminLinkListResponse>> {
      const path = '/api/admin/links';
      return call({ path, query, token, timeoutMs: LONG_TIMEOUT_MS }, adminLinkListResponseSchema);
    },

    /** `GET /api/admin/links/count`: for example, what a block would affect. */
    countLinks(query: SentAdminLinkCountQuery): Promise<Result<AdminLinkCountResponse['data']>> {
      const path = '/api/admin/links/count';
      const request = { path, query, token, timeoutMs: LONG_TIMEOUT_MS };
      return callForData(request, adminLinkCountResponseSchema);
    },

    /** `GET /api/admin/blocks`: all blocks, newest first. */
    listBlocks(): Promise<Result<Block[]>> {
      return callForData({ path: BLOCKS, token }, blockListResponseSchema);
    },

    /** `POST /api/admin/blocks`: blocks a link, a host or an account from the next visit. */
    addBlock(body: NewBlockRequest): Promise<Result<Block>> {
      return callForData({ method: 'POST', path: BLOCKS, token, body }, blockResponseSchema);
    },

    /** `DELETE /api/admin/blocks/:kind/:value`. */
    removeBlock(kind: BlockKind, value: string): Promise<Result<null>> {
      const path = `${BLOCKS}/${kind}/${encodeURIComponent(value)}`;
      return callForData({ method: 'DELETE', path, token }, doneResponseSchema);
    },

    /** `GET /api/admin/reports`: reported links, reported last first, with `nextCursor`. */
    listReports(query: SentReportsQuery = {}): Promise<Result<ReportsResponse>> {
      return call({ path: REPORTS, query, token }, reportsResponseSchema);
    },

    /** `DELETE /api/admin/reports/:alias`: erases the reports of a link. @param alias see `LinkCall` */
    dismissReports(alias: string): Promise<Result<null>> {
      const request = { method: 'DELETE', ...toLink(alias, '', REPORTS), token } as const;
      return callForData(request, doneResponseSchema);
    },

    /** `GET /api/admin/domains`: all domains, that of the server first. */
    listDomains(): Promise<Result<AdminDomain[]>> {
      return callForData({ path: DOMAINS, token }, adminDomainListResponseSchema);
    },

    /** `POST /api/admin/domains`. */
    addDomain(body: NewDomainRequest): Promise<Result<AdminDomain>> {
      const request = { method: 'POST', path: DOMAINS, token, body } as const;
      return callForData(request, adminDomainResponseSchema);
    },

    /** `PATCH /api/admin/domains/:host`. */
    editDomain(host: string, body: EditDomainRequest): Promise<Result<AdminDomain>> {
      const request = { method: 'PATCH', path: domainPath(host), token, body } as const;
      return callForData(request, adminDomainResponseSchema);
    },

    /**
     * `DELETE /api/admin/domains/:host`: moves up to 1,000 links with `links: 'move'`. To be repeated
     * until `isRemoved`.
     */
    removeDomain(
      host: string,
      query: SentRemoveDomainQuery = {},
    ): Promise<Result<RemoveDomainResponse['data']>> {
      const request = { method: 'DELETE', path: domainPath(host), query, token } as const;
      return callForData({ ...request, timeoutMs: LONG_TIMEOUT_MS }, removeDomainResponseSchema);
    },

    /** `GET /api/admin/overview`: what happened on the last days. */
    getOverview(): Promise<Result<Overview>> {
      return callForData({ path: '/api/admin/overview', token }, overviewResponseSchema);
    },

    /** `GET /api/admin/system`: the state of the server. */
    getSystem(): Promise<Result<SystemResponse['data']>> {
      return callForData({ path: '/api/admin/system', token }, systemResponseSchema);
    },

    /** `GET /api/admin/audit`: what administrators did, newest first. */
    listAuditEntries(query: SentAuditQuery = {}): Promise<Result<AuditResponse>> {
      return call({ path: '/api/admin/audit', query, token }, auditResponseSchema);
    },
  };
}

/**
 * Requests with `POST /api/identity/admin` a token for `createAdminClient`, if `ADMIN_IDENTITIES` names whom the
 * proxy knows. For pages of the server itself.
 */
export function administer(options: ClientOptions): Promise<Result<AdminSessionResponse['data']>> {
  const request = {
    method: 'POST',
    path: '/api/identity/admin',
    credentials: 'same-origin',
  } as const;
  return createTransport(options).callForData(request, adminSessionResponseSchema);
}

const ACCOUNTS = '/api/admin/accounts';
const BLOCKS = '/api/admin/blocks';
const DOMAINS = '/api/admin/domains';
const REPORTS = '/api/admin/reports';

function accountPath(id: string): string {
  return `${ACCOUNTS}/${encodeURIComponent(id)}`;
}

function domainPath(host: string): string {
  return `${DOMAINS}/${encodeURIComponent(host)}`;
}

function tokensPath(id: string): string {
  return `${accountPath(id)}/tokens`;
}
