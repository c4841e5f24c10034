import type { TestService } from '../support.ts';
import { call, makeLink, startService } from '../support.ts';
import { visit } from '../visits/visiting.ts';

/** An account with the link `launch`. */
export async function startWithLink(body: Record<string, unknown> = {}, env = {}) {
  const service = await startService({ env });
  const record = await makeLink(service, { customAlias: 'launch', ...body });
  const { authToken: token } = record;
  const edit = (changes: unknown, headers: Record<string, string> = {}, alias = 'launch') =>
    call(service, `PATCH /api/links/${alias}`, { token, body: changes, headers });
  return { service, record, token, edit };
}

/** Where a visit leads, or its status. */
export async function leadsTo(service: TestService, alias = 'launch') {
  const { statusCode, headers } = await visit(service, `/${alias}`);
  return statusCode === 302 ? headers.location : statusCode;
}
