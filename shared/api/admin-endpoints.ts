import { doneResponseSchema } from '../accounts/account-tokens.ts';
import { adminSessionResponseSchema } from '../accounts/identity.ts';
import {
  adminAccountListQuerySchema,
  adminAccountListResponseSchema,
  adminAccountParamsSchema,
  adminAccountResponseSchema,
  adminTokenListResponseSchema,
  adminTokenParamsSchema,
  adminTokenRequestSchema,
  editAccountRequestSchema,
  newAccountRequestSchema,
  newAccountResponseSchema,
  newAdminTokenResponseSchema,
  reassignRequestSchema,
  reassignResponseSchema,
} from '../admin/accounts.ts';
import { auditQuerySchema, auditResponseSchema } from '../admin/audit.ts';
import {
  blockListResponseSchema,
  blockParamsSchema,
  blockResponseSchema,
  newBlockRequestSchema,
} from '../admin/blocks.ts';
import {
  adminDomainListResponseSchema,
  adminDomainResponseSchema,
  domainParamsSchema,
  editDomainRequestSchema,
  newDomainRequestSchema,
  removeDomainQuerySchema,
  removeDomainResponseSchema,
} from '../admin/domains.ts';
import {
  adminLinkCountQuerySchema,
  adminLinkCountResponseSchema,
  adminLinkListQuerySchema,
  adminLinkListResponseSchema,
} from '../admin/links.ts';
import { reportParamsSchema, reportsQuerySchema, reportsResponseSchema } from '../admin/reports.ts';
import { overviewResponseSchema, systemResponseSchema } from '../admin/server.ts';
import { linkQuerySchema } from '../links/link-responses.ts';
import { exportedFileSchema, exportQuerySchema } from '../links/transfer.ts';
import { endpoints } from './endpoint.ts';

const ofAccount = { params: adminAccountParamsSchema } as const;

/** What administrators call, apart from the rest, so that nothing of it is part of the extension. */
export const ADMIN_ENDPOINTS = endpoints({
  administer: {
    route: 'POST /identity/admin',
    answer: adminSessionResponseSchema,
    isSameOrigin: true,
  },

  adminListAccounts: {
    route: 'GET /admin/accounts',
    query: adminAccountListQuerySchema,
    answer: adminAccountListResponseSchema,
  },
  adminCreateAccount: {
    route: 'POST /admin/accounts',
    body: newAccountRequestSchema,
    answer: newAccountResponseSchema,
  },
  adminGetAccount: {
    ...ofAccount,
    route: 'GET /admin/accounts/:id',
    answer: adminAccountResponseSchema,
  },
  adminEditAccount: {
    ...ofAccount,
    route: 'PATCH /admin/accounts/:id',
    body: editAccountRequestSchema,
    answer: adminAccountResponseSchema,
  },
  adminListTokens: {
    ...ofAccount,
    route: 'GET /admin/accounts/:id/tokens',
    answer: adminTokenListResponseSchema,
  },
  adminCreateToken: {
    ...ofAccount,
    route: 'POST /admin/accounts/:id/tokens',
    body: adminTokenRequestSchema,
    answer: newAdminTokenResponseSchema,
  },
  adminRevokeToken: {
    route: 'DELETE /admin/accounts/:id/tokens/:tokenId',
    params: adminTokenParamsSchema,
    answer: doneResponseSchema,
  },
  adminReassignLinks: {
    ...ofAccount,
    route: 'POST /admin/accounts/:id/reassign',
    body: reassignRequestSchema,
    answer: reassignResponseSchema,
    isSlow: true,
  },
  adminExportLinks: {
    ...ofAccount,
    route: 'GET /admin/accounts/:id/export',
    query: exportQuerySchema,
    answer: exportedFileSchema,
    answersFile: true,
    isSlow: true,
  },

  adminListLinks: {
    route: 'GET /admin/links',
    query: adminLinkListQuerySchema,
    answer: adminLinkListResponseSchema,
    isSlow: true,
  },
  adminCountLinks: {
    route: 'GET /admin/links/count',
    query: adminLinkCountQuerySchema,
    answer: adminLinkCountResponseSchema,
    isSlow: true,
  },
  adminListBlocks: { route: 'GET /admin/blocks', answer: blockListResponseSchema },
  adminAddBlock: {
    route: 'POST /admin/blocks',
    body: newBlockRequestSchema,
    answer: blockResponseSchema,
  },
  adminRemoveBlock: {
    route: 'DELETE /admin/blocks/:kind/:value',
    params: blockParamsSchema,
    answer: doneResponseSchema,
  },
  adminListReports: {
    route: 'GET /admin/reports',
    query: reportsQuerySchema,
    answer: reportsResponseSchema,
  },
  adminDismissReports: {
    route: 'DELETE /admin/reports/:alias',
    params: reportParamsSchema,
    query: linkQuerySchema,
    answer: doneResponseSchema,
  },

  adminListDomains: { route: 'GET /admin/domains', answer: adminDomainListResponseSchema },
  adminAddDomain: {
    route: 'POST /admin/domains',
    body: newDomainRequestSchema,
    answer: adminDomainResponseSchema,
  },
  adminEditDomain: {
    route: 'PATCH /admin/domains/:host',
    params: domainParamsSchema,
    body: editDomainRequestSchema,
    answer: adminDomainResponseSchema,
  },
  adminRemoveDomain: {
    route: 'DELETE /admin/domains/:host',
    params: domainParamsSchema,
    query: removeDomainQuerySchema,
    answer: removeDomainResponseSchema,
    isSlow: true,
  },

  adminListAuditEntries: {
    route: 'GET /admin/audit',
    query: auditQuerySchema,
    answer: auditResponseSchema,
  },
  adminGetOverview: { route: 'GET /admin/overview', answer: overviewResponseSchema },
  adminGetSystem: { route: 'GET /admin/system', answer: systemResponseSchema },
});
