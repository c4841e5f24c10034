import { expect, test } from 'vitest';
import { tagListResponseSchema } from '../../../shared/links/tags.ts';
import { call, makeLink, startService } from '../support.ts';

test("GET /api/tags answers the account's tags with the number of links, the most used first", async () => {
  const service = await startService();
  const { authToken: token } = await makeLink(service, { tags: ['new', 'Sale'] });
  await makeLink(service, { tags: ['sale'] }, { token });
  await makeLink(service, { tags: ['foreign'] });
  const response = await call(service, 'GET /api/tags', { token });
  expect(response.statusCode).toBe(200);
  expect(tagListResponseSchema.parse(response.json()).data).toEqual([
    { tag: 'sale', count: 2 },
    { tag: 'new', count: 1 },
  ]);
});

test('GET /api/tags needs a token that may read', async () => {
  const service = await startService();
  const { authToken: token } = await makeLink(service);
  const body = { name: 'For forms', scope: 'create' };
  const created = await call(service, 'POST /api/account/tokens', { token, body });
  const answers = [{}, { token: created.json().data.token }].map(async (as) => {
    const response = await call(service, 'GET /api/tags', as);
    return [response.statusCode, response.json().code];
  });
  expect(await Promise.all(answers)).toEqual([
    [401, 'token_required'],
    [403, 'insufficient_scope'],
  ]);
});
