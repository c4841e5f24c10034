import { expect, test } from 'vitest';
import { ADMIN, dataAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, shorten, startService } from '../support.ts';
import { importFile } from '../transfer/support.ts';
import { visit } from '../visits/visiting.ts';

const OWN = 'https://example.com/page';

/** Each field of a link that has a URL. */
const FIELDS: [path: string, withUrl: (url: string) => Record<string, unknown>][] = [
  ['originalUrl', (url) => ({ originalUrl: url })],
  ['rules.0.originalUrl', (url) => ({ rules: [{ device: 'tablet', originalUrl: url }] })],
  ['goneUrl', (url) => ({ goneUrl: url })],
  ['card.imageUrl', (url) => ({ card: { imageUrl: url } })],
];

test.each(FIELDS)('%s passes the checks of targets', async (path, withUrl) => {
  const service = await startService(ADMIN);
  const blocked = withUrl('https://a.bad.example/x');
  const { authToken: token } = await makeLink(service, {
    ...{ customAlias: 'before', originalUrl: OWN, title: 'Before' },
    ...blocked,
  });
  await makeLink(service, { customAlias: 'plain' }, { token });
  await dataAsAdmin(service, 'POST /api/admin/blocks', {
    ...{ kind: 'host', value: 'bad.example', reason: 'phishing' },
  });
  const refused = {
    statusCode: 400,
    body: { code: 'blocked_url', issues: [{ path }] },
  };
  const answer = async (response: Promise<{ statusCode: number; json: () => unknown }>) => {
    const { statusCode, json } = await response;
    return { statusCode, body: json() };
  };
  const created = shorten(service, { originalUrl: OWN, ...blocked }, { token });
  expect(await answer(created)).toMatchObject(refused);
  const body = [{ originalUrl: OWN, ...blocked }];
  const { data } = (await call(service, 'POST /api/links/batch', { token, body })).json();
  expect(data).toMatchObject([{ status: 400, ...refused.body }]);
  const edited = call(service, 'PATCH /api/links/plain', { body: blocked, token });
  expect(await answer(edited)).toMatchObject(refused);
  const row = { alias: 'row', created: '2026-01-01T00:00:00.000Z', originalUrl: OWN, ...blocked };
  expect(await importFile(service, 'curt', [row], { token })).toMatchObject({ failed: 1 });

  for (const url of [
    'https://S.EXAMPLE./plain',
    'javascript:alert(1)',
    'https://user:secret@example.com/',
    `https://example.com/${'a'.repeat(9000)}`,
  ]) {
    const wrong = { originalUrl: OWN, ...withUrl(url) };
    expect(await answer(shorten(service, wrong, { token })), url).toMatchObject({
      statusCode: 400,
      body: { code: 'invalid_url', issues: [{ path }] },
    });
  }

  expect((await visit(service, '/before')).statusCode).toBe(451);
  for (const query of ['host=bad.example', 'q=a.bad.example']) {
    const found = await dataAsAdmin(service, `GET /api/admin/links?${query}`);
    expect(found).toMatchObject([{ alias: 'before' }]);
  }
});
