import { describe, expect, test } from 'vitest';
import { call, makeLink } from '../support.ts';
import { leadsTo, sharedWithLink, startWithLink } from './with-link.ts';

const DAY_MS = 86_400_000;

describe('PATCH /api/links/:alias', () => {
  const withLink = sharedWithLink();

  test('changes the fields that are sent and no others, and answers the new record', async () => {
    const { service, record, token, edit } = await startWithLink({ title: 'Old', tags: ['a'] });
    await service.clock.advance(1000);
    const response = await edit({ title: 'New', isActive: false });
    expect(response.statusCode).toBe(200);
    const { newAuthToken: _, authToken: __, isReused: ___, ...unchanged } = record;
    expect(response.json().data).toEqual({
      ...unchanged,
      title: 'New',
      isActive: false,
      status: 'inactive',
      modified: '2026-11-20T12:00:01.000Z',
      version: expect.any(Number),
    });
    const read = await call(service, 'GET /api/links/launch', { token });
    expect(read.json().data).toEqual(response.json().data);
    expect(read.headers.etag).toBe(response.headers.etag);
  });

  test('clears password, expiry, container, description and limit with null', async () => {
    const { service, edit } = await startWithLink({
      password: 'secret',
      expiresInHours: 1,
      customGtmId: 'GTM-ABC1234',
      description: 'D',
      maxVisits: 3,
    });
    const response = await edit({
      password: null,
      expiresAt: null,
      customGtmId: null,
      description: null,
      maxVisits: null,
    });
    expect(response.json().data).toMatchObject({
      hasPassword: false,
      expiresAt: null,
      description: null,
      maxVisits: null,
    });
    expect((await service.store.findLink('launch'))?.customGtmId).toBeNull();
    expect(await leadsTo(service)).toBe('https://example.com/page');
  });

  test.each([{}, { generateQR: true }])('leaves the link as it is for %j', async (body) => {
    const { service, record, edit } = await startWithLink();
    await service.clock.advance(1000);
    const { data } = (await edit(body)).json();
    expect(data).toMatchObject({ modified: record.modified, version: record.version });
    const png = expect.stringMatching(/^data:image\/png;base64,/);
    expect(data.qrCode).toEqual('generateQR' in body ? png : undefined);
  });

  test('takes effect at the very next visit, and so does its undo', async () => {
    const { service, edit } = await startWithLink();
    expect(await leadsTo(service)).toBe('https://example.com/page');
    for (const target of ['https://example.org/new', 'https://example.com/page']) {
      await edit({ originalUrl: target });
      expect(await leadsTo(service)).toBe(target);
    }
    await edit({ isActive: false });
    expect(await leadsTo(service)).toBe(410);
    await edit({ isActive: true });
    expect(await leadsTo(service)).toBe('https://example.com/page');
    await edit({ expiresInMinutes: 1 });
    await service.clock.advance(60_000);
    expect(await leadsTo(service)).toBe(410);
    await edit({ expiresInMinutes: 1 });
    expect(await leadsTo(service)).toBe('https://example.com/page');
  });

  test.each<[unknown, number, string]>([
    ['{', 400, 'invalid_json'],
    ['[]', 400, 'invalid_request'],
    [{ titel: 'x' }, 400, 'invalid_request'],
    [{ title: 5 }, 400, 'invalid_request'],
    [{ originalUrl: 'mailto:a@b.example' }, 400, 'invalid_url'],
    [{ originalUrl: 'https://s.example/other' }, 400, 'invalid_url'],
    [{ customAlias: 'no spaces' }, 400, 'invalid_request'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 400, 'expires_in_past'],
    [{ expiresInDays: 36_526 }, 400, 'invalid_request'],
    [{ expiresAt: null, expiresInDays: 1 }, 400, 'conflicting_expiry'],
    [{ maxVisits: 0 }, 400, 'invalid_request'],
    [{ customAlias: 'api' }, 409, 'alias_taken'],
  ])('%j is %i %s and changes nothing', async (body, status, code) => {
    const { service, record, edit } = withLink();
    const response = await edit(body);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ success: false, code });
    expect(await service.store.findLink('launch')).toMatchObject({ version: record.version });
  });

  test('of a container is a 400 if CUSTOM_GTM is off', async () => {
    const { edit } = await startWithLink({}, { CUSTOM_GTM: 'off' });
    expect((await edit({ customGtmId: 'GTM-ABC1234' })).json().code).toBe('invalid_request');
    expect((await edit({ customGtmId: null })).statusCode).toBe(200);
  });

  test('needs JSON of at most 64 KiB', async () => {
    const { edit } = await startWithLink();
    expect((await edit('{}', { 'content-type': 'text/plain' })).statusCode).toBe(415);
    const response = await edit({ description: 'd'.repeat(65_536) });
    expect(response.statusCode).toBe(413);
    expect(response.json().message).toContain('64 KiB');
  });

  test('of a deleted link is a 410 until it is restored', async () => {
    const { service, token, edit } = await startWithLink();
    await call(service, 'DELETE /api/links/launch', { token });
    const response = await edit({ title: 'x' });
    expect(response.statusCode).toBe(410);
    expect(response.json().code).toBe('link_gone');
    await call(service, 'POST /api/links/launch/restore', { token });
    expect((await edit({ title: 'x' })).statusCode).toBe(200);
  });
});

describe('a rename', () => {
  test('to a taken alias is a 409 with free suggestions, whatever its case', async () => {
    const { service, edit } = await startWithLink();
    await makeLink(service, { customAlias: 'Taken' });
    const response = await edit({ customAlias: 'TAKEN' });
    expect(response.statusCode).toBe(409);
    const { code, suggestions } = response.json();
    expect(code).toBe('alias_taken');
    expect(suggestions).toHaveLength(3);
    expect((await edit({ customAlias: suggestions[0] })).statusCode).toBe(200);
  });
});

test('the expiry in an edit counts from the edit', async () => {
  const { service, edit } = await startWithLink();
  await service.clock.advance(DAY_MS);
  const response = await edit({ expiresInHours: 1.5 });
  expect(response.json().data.expiresAt).toBe('2026-11-21T13:30:00.000Z');
});
