import type { AtEnd } from '../../support/new-folder.ts';
import { call, makeLink, startOnce, startService, type TestService } from '../support.ts';
import { visit } from '../visits/visiting.ts';

/** An account with the link `launch`. */
export async function startWithLink(body: Record<string, unknown> = {}, env = {}, atEnd?: AtEnd) {
  const service = await startService({ env }, atEnd);
  const record = await makeLink(service, { customAlias: 'launch', ...body });
  const { authToken: token } = record;
  const edit = (changes: unknown, headers: Record<string, string> = {}, alias = 'launch') =>
    call(service, `PATCH /api/links/${alias}`, { token, body: changes, headers });
  return { service, record, token, edit };
}

/** An account with the links `a1` to `a5`, a millisecond apart, of which the odd ones have a tag. */
export async function startWithLinks() {
  const service = await startService();
  const tagsOf = (number: number) => (number % 2 === 1 ? ['Odd'] : []);
  const { authToken: token } = await makeLink(service, { customAlias: 'a1', tags: tagsOf(1) });
  for (const number of [2, 3, 4, 5]) {
    await service.clock.advance(1);
    await makeLink(service, { customAlias: `a${number}`, tags: tagsOf(number) }, { token });
  }
  return { service, token };
}

export function sharedWithLink() {
  return startOnce((atEnd) => startWithLink({}, {}, atEnd));
}

/** Where a visit leads, or its status. */
export async function leadsTo(service: TestService, alias = 'launch') {
  const { statusCode, headers } = await visit(service, `/${alias}`);
  return statusCode === 302 ? headers.location : statusCode;
}
