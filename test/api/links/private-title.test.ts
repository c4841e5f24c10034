import { expect, test } from 'vitest';
import { ADMIN, dataAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, startService } from '../support.ts';
import { visit } from '../visits/visiting.ts';
import { startWithLink } from './with-link.ts';

const LABEL = 'Quarterly numbers, draft';

test('a private title is stored, edited, and found by a search of its account', async () => {
  const { service, record, token, edit } = await startWithLink({ label: LABEL });
  expect(record.label).toBe(LABEL);
  const find = async (q: string) =>
    (await call(service, `GET /api/links?q=${q}`, { token })).json().data.length;
  expect([await find('draft'), await find('final')]).toEqual([1, 0]);
  expect((await edit({ label: 'Final' })).json().data.label).toBe('Final');
  expect([await find('draft'), await find('final')]).toEqual([0, 1]);
  const long = await edit({ label: 'x'.repeat(201) });
  expect([long.statusCode, long.json().issues[0].path]).toEqual([400, 'label']);
});

test('no visitor sees the private title', async () => {
  const description = 'Shown';
  const { service } = await startWithLink({ label: LABEL, description, waitTimer: 5 });
  await makeLink(service, { customAlias: 'secret', label: LABEL, password: 'a password' });
  const paths = ['/launch', '/launch+', '/secret', '/secret+'];
  for (const path of paths) {
    for (const headers of [{}, { accept: 'application/json' }, { 'user-agent': 'WhatsApp/2 A' }]) {
      const { body } = await visit(service, path, { headers });
      expect(body.length).toBeGreaterThan(0);
      expect(body).not.toContain(LABEL);
    }
  }
  // The pages were really shown.
  expect((await visit(service, '/launch')).body).toContain(description);
});

test('administrators neither see nor find the private title', async () => {
  const service = await startService(ADMIN);
  await makeLink(service, { customAlias: 'launch', label: LABEL, title: 'Numbers' });
  const [record] = await dataAsAdmin(service, 'GET /api/admin/links?q=numbers');
  expect(record).toMatchObject({ alias: 'launch', title: 'Numbers' });
  expect(record).not.toHaveProperty('label');
  expect(await dataAsAdmin(service, 'GET /api/admin/links?q=draft')).toEqual([]);
});
