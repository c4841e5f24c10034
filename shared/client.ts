import { accountMethods } from './client/account-methods.ts';
import { domainMethods } from './client/domain-methods.ts';
import { identityMethods } from './client/identity-methods.ts';
import { linkMethods } from './client/link-methods.ts';
import { statisticsMethods } from './client/statistics-methods.ts';
import { transferMethods } from './client/transfer-methods.ts';
import { type ClientOptions, createTransport } from './client/transport.ts';
import { type HealthResponse, healthResponseSchema } from './health.ts';

export type { Failure, Limit, Limits, Result } from './client/result.ts';
export type Client = ReturnType<typeof createClient>;

/**
 * A typed client for the API. Its methods never throw: errors, timeouts, failed connections and
 * responses of other programs are returned as a `Result`.
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options);
  return {
    ...linkMethods(transport),
    ...transferMethods(transport),
    ...accountMethods(transport),
    ...domainMethods(transport),
    ...identityMethods(transport),
    ...statisticsMethods(transport),

    /** `GET /api/health`: checks that this is a Curt server, and its version. */
    health: () => transport.call<HealthResponse>({ path: '/api/health' }, healthResponseSchema),
  };
}
