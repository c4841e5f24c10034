import { config } from 'zod';
import { identityMethods } from '../../../../shared/client/account-methods.ts';
import {
  type AdminClient,
  administer,
  createAdminClient,
} from '../../../../shared/client/admin-methods.ts';
import { createTransport } from '../../../../shared/client/transport.ts';

export type { AdminClient };
export type IdentityClient = ReturnType<typeof newIdentityClient>;

export function newAdminClient(baseUrl: string, token: string): AdminClient {
  forbidCompiler();
  return createAdminClient({ baseUrl, token });
}

export function newIdentityClient(baseUrl: string) {
  forbidCompiler();
  const options = { baseUrl };
  return { ...identityMethods(createTransport(options)), administer: () => administer(options) };
}

/** The content security policy forbids the compiler of zod, which would even be reported. */
function forbidCompiler(): void {
  config({ jitless: true });
}
