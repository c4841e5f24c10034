import { config } from 'zod';
import { ADMIN_ENDPOINTS } from '../../../../shared/api/admin-endpoints.ts';
import { type ApiClientOptions, createApiClient } from '../../../../shared/api/client.ts';
import { ENDPOINTS } from '../../../../shared/api/endpoints.ts';

export type AdminClient = ReturnType<typeof newAdminClient>;

/** Creates a client for administrators, and for those who may become one. */
export function newAdminClient(options: ApiClientOptions) {
  // The content security policy forbids the compiler of zod, which would even be reported.
  config({ jitless: true });
  return createApiClient({ ...ADMIN_ENDPOINTS, getIdentity: ENDPOINTS.getIdentity }, options);
}
