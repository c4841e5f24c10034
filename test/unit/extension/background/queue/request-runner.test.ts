import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { findLinks, listLinks } from '../../../../../extension/background/data/saved-links.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import { createQueue, type Queue } from '../../../../../extension/background/queue/queue.ts';
import { accountTokens, pendingRequests } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { START } from '../../../../support/manual-time.ts';
import { breakStorage, duringWrite, whenStored } from '../../support/browser-storage.ts';
import { type Service, useService } from '../../support/service.ts';
import { standStill } from '../../support/stand-still.ts';

const PAGE = 'https://example.com/page';
const HOUR_MS = 3_600_000;

const newService = useService();
const newOtherService = useService({ BASE_URL: 'http://localhost:2879' });
let service: Service;
let createLink: Queue['create'];
let nowMs: number;

beforeEach(async () => {
  fakeBrowser.reset();
  service = newService();
  nowMs = START;
  standStill();
  createLink = newCreateLink();
});

/** Only has the stored state, as after a restart of the worker. */
function newCreateLink(): Queue['create'] {
  return createQueue({
    onDeferred: async () => {},
    onUnsaved: async () => {},
    clientOf: (baseUrl) => createClient({ baseUrl }),
    nowMs: () => nowMs,
  }).create;
}

function newLink(originalUrl = PAGE, more: { isPrivate?: boolean; customAlias?: string } = {}) {
  const { isPrivate = false, ...options } = more;
  return { origin: service.origin, request: { originalUrl, ...options }, isPrivate };
}

async function useAccount(): Promise<string> {
  const token = await service.openAccount();
  await replaceToken(service.origin, token);
  return token;
}

/** The token of the first account that a call has opened. */
const issuedToken = () => service.links[0]?.newAuthToken ?? '';
const onDisk = async () => JSON.stringify(await fakeBrowser.storage.local.get());

describe('duplicates', () => {
  test('two quick clicks on the same page create one link', async () => {
    const [first, second] = await Promise.all([createLink(newLink()), createLink(newLink())]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual(first);
    expect(service.links).toHaveLength(1);
  });

  test('the same page with other options is another request', async () => {
    await Promise.all([
      createLink(newLink()),
      createLink(newLink(PAGE, { customAlias: `mine-${crypto.randomUUID()}` })),
    ]);
    expect(service.links).toHaveLength(2);
  });

  test('the token of a created link reaches neither pages nor the saved links', async () => {
    const created = await createLink(newLink());
    const { savedLinks } = await fakeBrowser.storage.local.get();
    expect(JSON.stringify(savedLinks)).toContain(service.links[0]?.shortUrl);
    expect(JSON.stringify([created, savedLinks])).not.toContain('oken');
  });
});

describe('one account', () => {
  test('concurrent calls create one account, and later ones use its token', async () => {
    await Promise.all(
      ['/a', '/b', '/c'].map((path) => createLink(newLink(`https://example.com${path}`))),
    );
    expect(service.links).toHaveLength(3);
    expect(service.accounts).toBe(1);
    expect(service.shortenCalls().map(({ token }) => token)).toEqual([
      undefined,
      issuedToken(),
      issuedToken(),
    ]);
  });

  test('a token is sent only to the server that issued it', async () => {
    const other = newOtherService();
    await createLink(newLink());
    await createLink({ ...newLink(), origin: other.origin });
    expect(other.shortenCalls().map(({ token }) => token)).toEqual([undefined]);
    await createLink(newLink('https://example.com/again'));
    expect(service.shortenCalls().at(-1)?.token).toBe(issuedToken());
  });

  test('a rejected token does not create a new account', async () => {
    await replaceToken(service.origin, 'curt_unknown');
    expect(await createLink(newLink())).toMatchObject({ ok: false, code: 'invalid_token' });
    expect(service.shortenCalls()).toHaveLength(1);
    expect(service.accounts).toBe(0);
  });

  test('another page does not wait if the server rejects the retry of the first', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    service.faults.push({ kind: 'failure', status: 400, code: 'blocked_url' });
    expect(await createLink(newLink('https://example.com/other'))).toMatchObject({ ok: true });
    // The first is retried by then, which must not reach into the next test.
    await whenStored(async () => Object.keys(await pendingRequests.read()).length === 0);
  });

  test('another page waits while the first account cannot be settled', async () => {
    service.faults.push({ kind: 'lost_answer' }, { kind: 'page', status: 502 });
    await createLink(newLink());
    expect(await createLink(newLink('https://example.com/other'))).toMatchObject({ ok: false });
    expect(service.links).toHaveLength(1);
  });
});

describe('a retry', () => {
  test('has the token in use once the server rejects the one of its call', async () => {
    const mine = await useAccount();
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    const rotated = await service.rotateToken(mine);
    await replaceToken(service.origin, rotated);
    expect(await createLink(newLink())).toMatchObject({ code: 'invalid_token', queued: {} });
    await createLink(newLink());
    const calls = service.shortenCalls();
    expect(calls.map(({ token }) => token)).toEqual([mine, mine, rotated]);
    expect(service.links).toHaveLength(1);
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

describe('before the first URL is sent to a server', () => {
  test('the server is verified once, not for every link', async () => {
    await createLink(newLink());
    await newCreateLink()(newLink('https://example.com/other'));
    expect(service.calls.map(({ path }) => path)).toEqual([
      '/api/health',
      '/api/shorten',
      '/api/shorten',
    ]);
  });
});

describe('what is saved', () => {
  test('the link, for its page on its server', async () => {
    const answer = await createLink(newLink());
    expect(answer.ok && (await findLinks(service.origin, PAGE, false, nowMs))[0]).toEqual(
      answer.ok && answer.data,
    );
    expect((await findLinks('https://other.example', PAGE, false, nowMs))[0]).toBeUndefined();
  });

  test('no link that has expired', async () => {
    const expiresAt = new Date(nowMs + HOUR_MS).toISOString();
    await createLink({ ...newLink(), request: { originalUrl: PAGE, expiresAt } });
    expect((await findLinks(service.origin, PAGE, false, nowMs))[0]).toBeDefined();
    expect((await findLinks(service.origin, PAGE, false, nowMs + HOUR_MS))[0]).toBeUndefined();
  });
});

describe('a private window', () => {
  test('writes nothing to disk, whether its link is created or indeterminate', async () => {
    const before = await onDisk();
    await createLink(newLink(PAGE, { isPrivate: true }));
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink('https://example.com/lost', { isPrivate: true }));
    expect(service.links).toHaveLength(2);
    expect(await onDisk()).toBe(before);
  });

  test('reuses its own link, which other windows do not', async () => {
    await createLink(newLink(PAGE, { isPrivate: true }));
    expect((await findLinks(service.origin, PAGE, true, nowMs))[0]).toBeDefined();
    expect((await findLinks(service.origin, PAGE, false, nowMs))[0]).toBeUndefined();
  });

  test('gets a new token if the server rejects its own', async () => {
    await createLink(newLink(PAGE, { isPrivate: true }));
    await service.deleteAccount(issuedToken());
    expect(await createLink(newLink(PAGE, { isPrivate: true }))).toMatchObject({
      code: 'invalid_token',
    });
    expect(await createLink(newLink(PAGE, { isPrivate: true }))).toMatchObject({ ok: true });
  });

  test('keeps the saved token even if the server rejects it', async () => {
    await createLink(newLink());
    await service.deleteAccount(issuedToken());
    await createLink(newLink());
    expect(await createLink(newLink())).toMatchObject({ code: 'invalid_token' });
  });

  test('has its own account, which other windows do not use', async () => {
    await createLink(newLink(PAGE, { isPrivate: true }));
    await createLink(newLink('https://example.com/private', { isPrivate: true }));
    await createLink(newLink('https://example.com/normal'));
    expect(service.shortenCalls().map(({ token }) => token)).toEqual([
      undefined,
      issuedToken(),
      undefined,
    ]);
  });

  test('uses an existing token', async () => {
    await createLink(newLink());
    await createLink(newLink('https://example.com/private', { isPrivate: true }));
    expect(service.shortenCalls().at(-1)?.token).toBe(issuedToken());
  });
});

describe('when storage is full', () => {
  let unlimit: () => void;
  beforeEach(() => {
    unlimit = breakStorage();
  });
  afterEach(() => unlimit());

  test('the link is returned, with a notice that it is not saved', async () => {
    expect(await createLink(newLink())).toMatchObject({
      ok: true,
      data: { originalUrl: PAGE, notSaved: 'storage_failed' },
    });
  });

  test('there is no second account and no second link for the page', async () => {
    const first = await createLink(newLink());
    const again = await createLink(newLink());
    await createLink(newLink('https://example.com/other'));
    expect(again).toMatchObject({ data: { shortUrl: first.ok && first.data.shortUrl } });
    expect(service.accounts).toBe(1);
    expect(service.links).toHaveLength(2);
  });

  test('the account is saved once there is space again', async () => {
    await createLink(newLink());
    unlimit();
    expect(await accountTokens.read()).toEqual({});
    const other = await createLink(newLink('https://example.com/other'));
    expect(dataOf(other).notSaved).toBeUndefined();
    expect(await accountTokens.read()).toEqual({ [service.origin]: issuedToken() });
  });
});

test('a link of a previous account is not saved for the one in use', async () => {
  const mine = await useAccount();
  service.faults.push({ kind: 'lost_answer' });
  await createLink(newLink());
  await useAccount();
  expect(await createLink(newLink())).toMatchObject({ ok: true });
  expect(service.shortenCalls().at(-1)?.token).toBe(mine);
  expect(await listLinks()).toEqual([]);
});

test('a request that is made again after the data is erased is another one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.held = promise;
  const first = createLink(newLink());
  await service.called(1);
  await eraseData();
  const second = createLink(newLink());
  resolve();
  expect(await first).toMatchObject({ ok: true });
  const created = await second;
  expect(service.links).toHaveLength(2);
  expect(await listLinks()).toMatchObject([{ shortUrl: created.ok && created.data.shortUrl }]);
  expect(await listLinks()).not.toMatchObject([{ id: service.links[0]?.id }]);
  expect(await pendingRequests.read()).toEqual({});
});

test('a request is not sent if the data is erased just before', async () => {
  duringWrite('local', '"sending"', eraseData);
  expect(await createLink(newLink())).toMatchObject({ ok: false });
  expect(service.links).toEqual([]);
});

test.each([false, true])(
  'a call in progress saves nothing if the data is erased meanwhile (private: %s)',
  async (isPrivate) => {
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const pending = createLink(newLink(PAGE, { isPrivate }));
    await service.called(1);
    await eraseData();
    held.resolve();
    expect(await pending).toMatchObject({ ok: true });
    expect(await fakeBrowser.storage.local.get()).toEqual({});
    const inMemory = JSON.stringify(await fakeBrowser.storage.session.get());
    const [{ alias = '', authToken = '' } = {}] = service.links;
    expect(inMemory).not.toContain(alias);
    expect(inMemory).not.toContain(authToken);
    // Later links are saved as usual.
    expect(await createLink(newLink())).toMatchObject({ ok: true });
    expect(await onDisk()).toContain(service.links[1]?.shortUrl);
  },
);
