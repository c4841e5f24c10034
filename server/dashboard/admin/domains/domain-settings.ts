import type { AdminDomain, EditDomainRequest } from '../../../../shared/admin/domains.ts';

/** What can be set for a domain, as a request sends it. */
export function toSettings(domain: AdminDomain): EditDomainRequest {
  const { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts } = domain;
  return { scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts };
}
