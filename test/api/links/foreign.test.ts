import { expect, test } from 'vitest';
import { call, makeLink } from '../support.ts';
import { leadsTo, startWithLink } from './with-link.ts';

test.each([
  ['GET /api/links/launch', undefined],
  ['GET /api/links/launch/stats', undefined],
  ['PATCH /api/links/launch', { originalUrl: 'https://evil.example' }],
  ['PATCH /api/links/launch', {}],
  ['DELETE /api/links/launch', undefined],
  ['DELETE /api/links/launch?purge=true', undefined],
  ['POST /api/links/launch/restore', undefined],
  ['DELETE /api/links/launch/aliases/old', undefined],
])('%s of another account is a 404 and changes nothing', async (request, body) => {
  const { service, token, edit } = await startWithLink({ customAlias: 'old' });
  await call(service, 'PATCH /api/links/old', { token, body: { customAlias: 'launch' } });
  const before = await service.store.findLink('launch');
  const { authToken: other } = await makeLink(service);
  const response = await call(service, request, { token: other, body });
  expect(response.statusCode).toBe(404);
  expect(response.json().code).toBe('not_found');
  // The same as for a link that does not exist.
  const unknown = await call(service, request.replace('launch', 'unknown'), { token: other, body });
  expect(unknown.json()).toEqual({
    ...response.json(),
    message: response.json().message.replace('launch', 'unknown'),
  });
  expect(await service.store.findLink('launch')).toEqual(before);
  expect(await leadsTo(service, 'old')).toBe('https://example.com/page');
  expect((await edit({})).statusCode).toBe(200);
});

test('lists of links never have those of another account', async () => {
  const { service } = await startWithLink({ title: 'secret' });
  const { authToken: other, alias } = await makeLink(service);
  for (const query of ['', '?q=secret', '?q=launch', '?status=active']) {
    const { data } = (await call(service, `GET /api/links${query}`, { token: other })).json();
    const aliases = data.map((link: { alias: string }) => link.alias);
    expect(aliases).toEqual(query === '' || query === '?status=active' ? [alias] : []);
  }
});
