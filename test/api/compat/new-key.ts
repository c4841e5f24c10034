import { call, makeLink, type TestService } from '../support.ts';

/** The key of a new account, or another one of it that may do less. */
export async function newKey(
  service: TestService,
  scope: 'all' | 'create' | 'read' = 'all',
): Promise<string> {
  const { authToken } = await makeLink(service);
  if (scope === 'all') return authToken;
  const body = { name: 'tool', scope };
  const response = await call(service, 'POST /api/account/tokens', { token: authToken, body });
  return response.json().data.token;
}
