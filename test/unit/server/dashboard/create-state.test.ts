import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createCreateState } from '../../../../server/dashboard/create/create-state.ts';
import { failureText } from '../../../../shared/i18n/failure-text.ts';
import { setMessageSource } from '../../../../shared/i18n/translate.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';
import { type RealServer, startRealServer } from '../../support/real-server.ts';

let server: RealServer;
let token: string;

beforeAll(() => {
  const { en = {} } = readLocales();
  setMessageSource((key) => en[key] ?? '');
});

beforeEach(async () => {
  server = await startRealServer();
  token = await server.create({ originalUrl: 'https://example.com' });
});

type Api = Parameters<typeof createCreateState>[0]['api'];

function openForm(call: Api['call'] = (run) => run(server.clientOf(token))) {
  const api = { call } as Api;
  return createCreateState(
    { api, origin: server.origin },
    { url: 'https://example.com/new', title: '' },
  );
}

test('what the server rejects is marked at its field', async () => {
  const state = openForm();
  state.change({ tags: ['fine', 'with\u0007control'] });
  await state.submit();
  expect(Object.keys(state.issues.value)).toEqual(['tags']);
  expect(state.failure.value).toMatchObject({ code: 'invalid_request', isMarked: true });
  state.change({ tags: ['fine'] });
  expect(state.failure.value).toBeUndefined();
});

test('what has no field is explained with the server’s message', async () => {
  const message = 'forwardQuery: Unknown field. Check its name for typos.';
  const issues = [{ path: 'forwardQuery', message }];
  const state = openForm(async () => ({ ok: false, code: 'invalid_request', message, issues }));
  state.change({ forwardQuery: true });
  await state.submit();
  const failure = state.failure.value;
  expect(failure && failureText(failure, server.origin)).toMatchObject({ text: message });
  expect(failure?.isMarked).toBe(false);
});

test('a rejected URL is explained at its field', async () => {
  const state = openForm();
  state.change({ originalUrl: 'mailto:someone@example.com' });
  await state.submit();
  expect(Object.keys(state.issues.value)).toEqual(['originalUrl']);
  expect(state.failure.value?.isMarked).toBe(true);
});
