import { z } from 'zod';
import { accountResponseSchema, editOwnAccountRequestSchema } from '../accounts/account.ts';
import {
  deleteAccountRequestSchema,
  doneResponseSchema,
  newTokenRequestSchema,
  newTokenResponseSchema,
  revokeTokenQuerySchema,
  tokenListResponseSchema,
  tokenParamsSchema,
} from '../accounts/account-tokens.ts';
import {
  identityProofRequestSchema,
  identityProofResponseSchema,
  identityResponseSchema,
  identityTokenRequestSchema,
} from '../accounts/identity.ts';
import {
  redeemCodeRequestSchema,
  redeemCodeResponseSchema,
  signInCodeResponseSchema,
} from '../accounts/sign-in-codes.ts';
import { askQuerySchema, domainListResponseSchema } from '../accounts/usable-domains.ts';
import { healthResponseSchema } from '../health.ts';
import { batchRequestSchema, batchResponseSchema } from '../links/batch.ts';
import { bulkChangeSchema, bulkQuerySchema, bulkResponseSchema } from '../links/bulk.ts';
import { editRequestSchema } from '../links/edit-request.ts';
import { linkListQuerySchema, linkListResponseSchema } from '../links/link-list.ts';
import { shortenResponseSchema } from '../links/link-record.ts';
import {
  aliasParamsSchema,
  deletedLinkResponseSchema,
  deleteQuerySchema,
  linkQuerySchema,
  linkResponseSchema,
  previousAliasParamsSchema,
} from '../links/link-responses.ts';
import { shortenRequestSchema } from '../links/shorten-request.ts';
import { tagListResponseSchema } from '../links/tags.ts';
import {
  exportedFileSchema,
  filteredExportQuerySchema,
  importQuerySchema,
  importResponseSchema,
  importStatusResponseSchema,
} from '../links/transfer.ts';
import { conditionalHeadersSchema, idempotencyHeadersSchema } from '../request-headers.ts';
import {
  accountStatisticsQuerySchema,
  accountStatisticsResponseSchema,
  linkStatisticsQuerySchema,
  linkStatisticsResponseSchema,
} from '../statistics.ts';
import { endpoints } from './endpoint.ts';

const openApiQuerySchema = z.strictObject({
  for: z
    .literal('assistants', 'Must be "assistants".')
    .optional()
    .describe(
      '`assistants`: only what assistants need of links and statistics, with short descriptions, for tools of which few can be given at a time.',
    ),
});

/**
 * The API, apart from administration: what each request has, and what it answers. Routes, the API reference,
 * `createApiClient` and the types of the extension's messages come from it.
 */
export const ENDPOINTS = endpoints({
  createLink: {
    route: 'POST /shorten',
    headers: idempotencyHeadersSchema,
    body: shortenRequestSchema,
    answer: shortenResponseSchema,
  },
  createLinks: {
    route: 'POST /links/batch',
    headers: idempotencyHeadersSchema,
    body: batchRequestSchema,
    answer: batchResponseSchema,
  },

  listLinks: {
    route: 'GET /links',
    query: linkListQuerySchema,
    answer: linkListResponseSchema,
  },
  changeLinks: {
    route: 'PATCH /links',
    query: bulkQuerySchema,
    body: bulkChangeSchema,
    answer: bulkResponseSchema,
  },
  deleteLinks: {
    route: 'DELETE /links',
    query: bulkQuerySchema,
    answer: bulkResponseSchema,
  },
  getLink: {
    route: 'GET /links/:alias',
    params: aliasParamsSchema,
    query: linkQuerySchema,
    answer: linkResponseSchema,
  },
  editLink: {
    route: 'PATCH /links/:alias',
    params: aliasParamsSchema,
    query: linkQuerySchema,
    headers: conditionalHeadersSchema,
    body: editRequestSchema,
    answer: linkResponseSchema,
  },
  deleteLink: {
    route: 'DELETE /links/:alias',
    params: aliasParamsSchema,
    query: deleteQuerySchema,
    headers: conditionalHeadersSchema,
    answer: deletedLinkResponseSchema,
  },
  restoreLink: {
    route: 'POST /links/:alias/restore',
    params: aliasParamsSchema,
    query: linkQuerySchema,
    headers: conditionalHeadersSchema,
    answer: linkResponseSchema,
  },
  removeAlias: {
    route: 'DELETE /links/:alias/aliases/:old',
    params: previousAliasParamsSchema,
    query: linkQuerySchema,
    headers: conditionalHeadersSchema,
    answer: linkResponseSchema,
  },
  listTags: { route: 'GET /tags', answer: tagListResponseSchema },
  listDomains: { route: 'GET /domains', answer: domainListResponseSchema },

  exportLinks: {
    route: 'GET /links/export',
    query: filteredExportQuerySchema,
    answer: exportedFileSchema,
    answersFile: true,
    isSlow: true,
  },
  importLinks: {
    route: 'POST /links/import',
    query: importQuerySchema,
    sendsFile: true,
    answer: importResponseSchema,
    isSlow: true,
  },
  getImport: { route: 'GET /links/import', answer: importStatusResponseSchema },
  stopImport: { route: 'DELETE /links/import', answer: importStatusResponseSchema },

  getStatistics: {
    route: 'GET /stats',
    query: accountStatisticsQuerySchema,
    answer: accountStatisticsResponseSchema,
  },
  getLinkStatistics: {
    route: 'GET /links/:alias/stats',
    params: aliasParamsSchema,
    query: linkStatisticsQuerySchema,
    answer: linkStatisticsResponseSchema,
  },

  getAccount: { route: 'GET /account', answer: accountResponseSchema },
  editAccount: {
    route: 'PATCH /account',
    body: editOwnAccountRequestSchema,
    answer: accountResponseSchema,
  },
  deleteAccount: {
    route: 'DELETE /account',
    body: deleteAccountRequestSchema,
    answer: doneResponseSchema,
  },
  listTokens: { route: 'GET /account/tokens', answer: tokenListResponseSchema },
  createToken: {
    route: 'POST /account/tokens',
    body: newTokenRequestSchema,
    answer: newTokenResponseSchema,
  },
  revokeToken: {
    route: 'DELETE /account/tokens/:id',
    params: tokenParamsSchema,
    query: revokeTokenQuerySchema,
    answer: doneResponseSchema,
  },
  createSignInCode: { route: 'POST /account/sign-in-codes', answer: signInCodeResponseSchema },
  redeemSignInCode: {
    route: 'POST /sign-in-codes/redeem',
    body: redeemCodeRequestSchema,
    answer: redeemCodeResponseSchema,
  },
  getIdentity: { route: 'GET /identity', answer: identityResponseSchema, isSameOrigin: true },
  signIn: {
    route: 'POST /identity/token',
    body: identityTokenRequestSchema,
    answer: newTokenResponseSchema,
    isSameOrigin: true,
  },
  proveIdentity: {
    route: 'POST /identity/proof',
    body: identityProofRequestSchema,
    answer: identityProofResponseSchema,
  },

  getHealth: { route: 'GET /health', answer: healthResponseSchema },
  getReadiness: { route: 'GET /health/ready', answer: healthResponseSchema },
  askDomain: { route: 'GET /domains/ask', query: askQuerySchema, answer: doneResponseSchema },
  getOpenApi: { route: 'GET /openapi.json', query: openApiQuerySchema },
  getApiReference: { route: 'GET /docs' },
});
