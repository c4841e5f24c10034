import { type Domain, domainListResponseSchema } from '../domains.ts';
import type { Result } from './result.ts';
import type { Transport } from './transport.ts';

export function domainMethods({ callForData }: Transport) {
  return {
    /** `GET /api/domains`: the domains that the account may use, the default first. */
    listDomains(token?: string): Promise<Result<Domain[]>> {
      return callForData({ path: '/api/domains', token }, domainListResponseSchema);
    },
  };
}
