import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestAhead } from '../../../../server/dashboard/api/api.ts';
import { type Call, toRequest } from '../../../../shared/client/request.ts';

const LIST: Call = { path: '/api/links', token: 'curt_token' };

/** The paths of all requests so far. */
const paths: string[] = [];
let status = 200;
const server = createServer(({ url = '' }, response) => {
  paths.push(url);
  response.statusCode = status;
  response.end(String(paths.filter((path) => path === url).length));
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Sends a request for the list ahead. @returns makes a call, and says which request of its path responded */
function sendAhead() {
  paths.length = 0;
  const ahead = createRequestAhead(baseUrl);
  ahead.send(LIST);
  return async (call: Call) => (await ahead.take(...toRequest(call, { baseUrl }))).text();
}

test('the response to a request that was sent ahead is taken once', async () => {
  const take = sendAhead();
  expect(await take(LIST)).toBe('1');
  expect(await take(LIST)).toBe('2');
});

test('another request leaves it where it is, and a change makes it useless', async () => {
  const take = sendAhead();
  expect(await take({ path: '/api/account', token: 'curt_token' })).toBe('1');
  expect(await take({ method: 'PATCH', path: '/api/links/first', body: {} })).toBe('1');
  expect(await take(LIST)).toBe('2');
});

test('the body of a successful response is taken once', async () => {
  paths.length = 0;
  const ahead = createRequestAhead(baseUrl);
  ahead.send(LIST);
  expect(await ahead.takeJson({ ...LIST, token: 'curt_other' })).toBeUndefined();
  expect(await ahead.takeJson(LIST)).toBe(1);
  expect(await ahead.takeJson(LIST)).toBeUndefined();
  expect(await (await ahead.take(...toRequest(LIST, { baseUrl }))).text()).toBe('2');
});

test('the body of a failure is left to whoever makes the same request', async () => {
  paths.length = 0;
  status = 401;
  const ahead = createRequestAhead(baseUrl);
  ahead.send(LIST);
  expect(await ahead.takeJson(LIST)).toBeUndefined();
  const response = await ahead.take(...toRequest(LIST, { baseUrl }));
  expect([response.status, await response.text()]).toEqual([401, '1']);
  status = 200;
});
