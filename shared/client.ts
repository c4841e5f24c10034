import { accountMethods, identityMethods, proofMethods } from './client/account-methods.ts';
import { linkMethods } from './client/link-methods.ts';
import { type ClientOptions, createTransport } from './client/transport.ts';
import { type HealthResponse, healthResponseSchema } from './health.ts';

export type { Failure, Limit, Limits, Result } from './client/result.ts';
export type Client = ReturnType<typeof createClient>;

/**
 * Creates a typed client for the API. Its methods never throw: errors, timeouts, failed connections and responses
 * of other programs are returned as a `Result`.
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options);
  return {
    ...linkMethods(transport),
    ...accountMethods(transport),
    ...identityMethods(transport),
    ...proofMethods(transport),

    /** `GET /api/health`: checks that this is a Curt server, and its version. */
    getHealth: () => transport.call<HealthResponse>({ path: '/api/health' }, healthResponseSchema),
  };
}
