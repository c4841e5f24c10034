import type { AdminAccount } from '../../../shared/admin/accounts.ts';
import { call, type TestService } from '../support.ts';

export const ADMIN_TOKEN = 'an-admin-token-of-32-characters!';
/** For `startService`. */
export const ADMIN = { env: { ADMIN_TOKEN } };

type Service = Pick<TestService, 'app'>;

/** Calls the API with the administrator's token, such as `POST /api/admin/blocks`. */
export function callAsAdmin(service: Service, request: string, body?: unknown) {
  return call(service, request, { token: ADMIN_TOKEN, body });
}

/** The `data` of a response that must succeed. */
export async function dataAsAdmin(service: Service, request: string, body?: unknown) {
  const response = await callAsAdmin(service, request, body);
  if (response.statusCode !== 200) throw new Error(`${request}: ${response.body}`);
  return response.json().data;
}

export async function createAccount(
  service: Service,
  body: Record<string, unknown> = { name: 'Ann' },
): Promise<AdminAccount & { token: string }> {
  return dataAsAdmin(service, 'POST /api/admin/accounts', body);
}

export function block(service: Service, kind: 'link' | 'host' | 'account', value: string) {
  return dataAsAdmin(service, 'POST /api/admin/blocks', { kind, value, reason: 'Phishing' });
}
