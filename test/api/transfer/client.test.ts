import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { makeLink, startService } from '../support.ts';
import { newAccount } from './support.ts';

async function listen() {
  const service = await startService();
  const baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' });
  return { service, client: createClient({ baseUrl }), token: await newAccount(service) };
}

test('the client exports a file and imports it', async () => {
  const { service, client, token } = await listen();
  await makeLink(service, { customAlias: 'launch', title: 'Größe' }, { token });
  const other = await listen();
  const call = { file: dataOf(await client.exportLinks(token, { format: 'csv', secrets: false })) };
  const dry = await other.client.importLinks(other.token, { ...call, dryRun: true });
  expect(dry).toMatchObject({ ok: true, data: { dryRun: true, rows: 2, imported: 2 } });
  const imported = await other.client.importLinks(other.token, call);
  expect(imported).toMatchObject({ ok: true, data: { dryRun: false, imported: 2 } });
  expect(await other.service.store.findLink('launch')).toMatchObject({ title: 'Größe' });

  const file = await dataOf(await client.exportLinks(token)).text();
  const again = await client.importLinks(token, { from: 'curt', file });
  expect(again).toMatchObject({ ok: true, data: { rows: 2, duplicates: 2 } });
});

test('the client returns the errors of both', async () => {
  const { client, token } = await listen();
  expect(await client.exportLinks('curt_unknown')).toMatchObject({
    ok: false,
    code: 'invalid_token',
    status: 401,
  });
  expect(await client.importLinks(token, { from: 'kutt', file: '{' })).toMatchObject({
    ok: false,
    code: 'invalid_json',
    status: 400,
  });
});

test('the client does not take a file that ends too early, or a page of another program', async () => {
  const server = createServer((request, response) => {
    const isCut = request.headers.authorization === 'Bearer cut';
    response.setHeader('content-type', isCut ? 'text/csv' : 'text/html');
    response.write('<p>Hello</p>');
    if (isCut) setImmediate(() => response.destroy());
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  expect(await client.exportLinks('cut')).toMatchObject({ ok: false, code: 'unreachable' });
  expect(await client.exportLinks('page')).toMatchObject({ ok: false, code: 'not_curt' });
});
