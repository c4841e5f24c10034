import { expect, test } from 'vitest';
import type { EditRequest } from '../../../../shared/links/edit-request.ts';
import { hasValues } from '../../../../shared/links/has-values.ts';
import { dataOf } from '../../../support/data-of.ts';
import { startRealServer } from '../../support/real-server.ts';

const EDITS: EditRequest[] = [
  { originalUrl: 'example.com/new path' },
  { customAlias: 'other' },
  { title: 'New', description: 'Text', tags: ['b', 'B', ' a '] },
  { isActive: false },
  { expiresAt: '2040-01-01T02:00:00+02:00', startsAt: '2039-01-01T00:00:00Z' },
  { maxVisits: 3, waitTimer: 5, forwardQuery: true },
  { goneUrl: 'example.com', card: { title: 'T', description: 'D' } },
  { rules: [{ device: 'phone', language: 'de-de', originalUrl: 'm.example.com' }] },
  { password: null, customGtmId: 'GTM-ABC1234' },
];

test.each(EDITS)('a link has the values of an edit once it was sent: %j', async (edit) => {
  const server = await startRealServer();
  const token = await server.create({ originalUrl: 'https://example.com/', customAlias: 'first' });
  const link = { alias: 'first', token };
  const before = dataOf(await server.client.getLink(link));
  const after = dataOf(await server.client.editLink({ ...link, body: edit }));
  expect(hasValues(after, edit)).toBe(true);
  const differs = Object.keys(edit).some((name) => name !== 'password');
  expect(hasValues(before, edit)).toBe(!differs);
  expect(hasValues(after, { ...edit, title: 'Somebody else’s' })).toBe(false);
});

test('nobody can tell whether a link has a new password already', async () => {
  const server = await startRealServer();
  const token = await server.create({ originalUrl: 'https://example.com/', customAlias: 'first' });
  const edit = { password: 'swordfish' };
  const after = dataOf(await server.client.editLink({ alias: 'first', token, body: edit }));
  expect(hasValues(after, edit)).toBe(false);
});
