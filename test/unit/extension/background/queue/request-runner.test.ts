import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { eraseData } from '../../../../../extension/background/data/erase.ts';
import {
  findLinks,
  hasAllLinks,
  listLinks,
} from '../../../../../extension/background/links/saved-links.ts';
import { createQueue, type Queue } from '../../../../../extension/background/queue/queue.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import { accountTokens, pendingRequests } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import { duringWrite, limitStorage } from '../../support/browser-storage.ts';
import { type Service, startService } from '../../support/service.ts';

const PAGE = 'https://example.com/page';
const HOUR_MS = 3_600_000;

let service: Service;
let createLink: Queue['create'];
let nowMs: number;

beforeEach(async () => {
  fakeBrowser.reset();
  service = await startService();
  nowMs = Date.now();
  createLink = newCreateLink();
});
afterEach(() => service.stop());

/** Only has the stored state, as after a restart of the worker. */
function newCreateLink(): Queue['create'] {
  return createQueue({
    onDeferred: async () => {},
    clientOf: (baseUrl) => createClient({ baseUrl }),
    nowMs: () => nowMs,
  }).create;
}

function newLink(originalUrl = PAGE, more: { isPrivate?: boolean; customAlias?: string } = {}) {
  const { isPrivate = false, ...options } = more;
  return { origin: service.origin, request: { originalUrl, ...options }, isPrivate };
}

async function useToken(token: string): Promise<void> {
  service.tokens.add(token);
  await replaceToken(service.origin, token);
}

const onDisk = async () => JSON.stringify(await fakeBrowser.storage.local.get());

describe('duplicates', () => {
  test('two quick clicks on the same page create one link', async () => {
    const [first, second] = await Promise.all([createLink(newLink()), createLink(newLink())]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual(first);
    expect(service.links).toHaveLength(1);
  });

  test('the same page with other options is another request', async () => {
    await Promise.all([createLink(newLink()), createLink(newLink(PAGE, { customAlias: 'mine' }))]);
    expect(service.links).toHaveLength(2);
  });

  test('repeating a completed request creates a new link', async () => {
    await createLink(newLink());
    await createLink(newLink());
    expect(service.links).toHaveLength(2);
    const [first, second] = service.shortenCalls();
    expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
  });

  test('a link created since the lookup is reused', async () => {
    const first = await createLink(newLink());
    expect(await createLink({ ...newLink(), reuseExisting: true })).toMatchObject({
      ok: true,
      data: first.ok && first.data,
      isExisting: true,
    });
    expect(service.links).toHaveLength(1);
    expect(await onDisk()).not.toContain('"attempts"');
  });

  test('a link with a password is not reused', async () => {
    const locked = { ...newLink(), request: { originalUrl: PAGE, password: 'swordfish' } };
    await createLink(locked);
    expect(await createLink({ ...newLink(), reuseExisting: true })).toMatchObject({
      data: { hasPassword: false },
    });
    expect(service.links).toHaveLength(2);
  });

  test('a link with a container is saved as such', async () => {
    const request = { originalUrl: PAGE, customGtmId: 'GTM-ABC1234' };
    expect(await createLink({ ...newLink(), request })).toMatchObject({
      data: { hasContainer: true },
    });
  });

  test('an indeterminate request is settled before a link is reused', async () => {
    await useToken('curt_mine');
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    await createLink(newLink(PAGE, { customAlias: 'mine' }));
    const answer = await createLink({ ...newLink(), reuseExisting: true });
    expect(answer).toMatchObject({ data: { shortUrl: `${service.origin}/link1` } });
    expect(await onDisk()).not.toContain('"attempts"');
  });

  test('an anonymous call has a UUID as its idempotency key', async () => {
    await createLink(newLink());
    expect(service.shortenCalls()[0]?.idempotencyKey).toMatch(
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    );
  });
});

describe('one account', () => {
  test('concurrent calls create one account, and later ones use its token', async () => {
    await Promise.all(
      ['/a', '/b', '/c'].map((path) => createLink(newLink(`https://example.com${path}`))),
    );
    expect(service.links).toHaveLength(3);
    expect(await hasAllLinks(service.origin)).toBe(true);
    expect(service.tokens.size).toBe(1);
    expect(service.shortenCalls().map(({ token }) => token)).toEqual([
      undefined,
      'curt_token-1',
      'curt_token-1',
    ]);
  });

  test('a token is sent only to the server that issued it', async () => {
    const other = await startService();
    try {
      await createLink(newLink());
      await createLink({ ...newLink(), origin: other.origin });
      expect(other.shortenCalls().map(({ token }) => token)).toEqual([undefined]);
      await createLink(newLink('https://example.com/again'));
      expect(service.shortenCalls().at(-1)?.token).toBe('curt_token-1');
    } finally {
      await other.stop();
    }
  });

  test('a rejected token does not create a new account', async () => {
    await replaceToken(service.origin, 'curt_unknown');
    expect(await createLink(newLink())).toMatchObject({ ok: false, code: 'invalid_token' });
    expect(service.shortenCalls()).toHaveLength(1);
    expect(service.tokens.size).toBe(0);
  });

  test('a first call without a response is settled before another page is shortened', async () => {
    service.faults.push({ kind: 'lost_answer' });
    expect(await createLink(newLink())).toMatchObject({ ok: false, code: 'unreachable' });
    expect(await createLink(newLink('https://example.com/other'))).toMatchObject({ ok: true });
    expect(service.tokens.size).toBe(1);
    expect(service.links.map(({ originalUrl }) => originalUrl)).toEqual([
      PAGE,
      'https://example.com/other',
    ]);
  });

  test('another page does not wait if the server rejects the retry of the first', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    service.faults.push({ kind: 'failure', status: 400, code: 'blocked_url' });
    expect(await createLink(newLink('https://example.com/other'))).toMatchObject({ ok: true });
  });

  test('another page waits while the first account cannot be settled', async () => {
    service.faults.push({ kind: 'lost_answer' }, { kind: 'page', status: 502 });
    await createLink(newLink());
    expect(await createLink(newLink('https://example.com/other'))).toMatchObject({ ok: false });
    expect(service.links).toHaveLength(1);
  });
});

describe('a retry', () => {
  test.each([
    ['the answer was lost', { kind: 'lost_answer' }],
    ['the server failed', { kind: 'failure', status: 500, code: 'internal' }],
    ['the store was away', { kind: 'failure', status: 503, code: 'store_unavailable' }],
    ['a proxy answered', { kind: 'page', status: 502 }],
  ] as const)('repeats key, body and credentials after %s', async (_, fault) => {
    service.faults.push(fault);
    expect(await createLink(newLink())).toMatchObject({ ok: false });
    expect(await createLink(newLink())).toMatchObject({ ok: true });
    const [first, second] = service.shortenCalls();
    expect(second).toEqual(first);
    expect(service.links).toHaveLength(1);
  });

  test('repeats them after a timeout', async () => {
    service.delayMs = 300;
    const hasty = createQueue({
      onDeferred: async () => {},
      clientOf: (baseUrl) => createClient({ baseUrl, timeoutMs: 100 }),
    });
    expect(await hasty.create(newLink())).toMatchObject({ ok: false, code: 'timeout' });
    service.delayMs = 0;
    expect(await createLink(newLink())).toMatchObject({ ok: true });
    expect(new Set(service.shortenCalls().map((call) => call.idempotencyKey)).size).toBe(1);
    expect(service.links).toHaveLength(1);
  });

  test('repeats them after the worker stopped during the call', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    expect(await newCreateLink()(newLink())).toMatchObject({ ok: true });
    expect(service.links).toHaveLength(1);
  });

  test('stays anonymous if the first call was, even if there is a token by then', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    await useToken('curt_pasted');
    await createLink(newLink());
    expect(service.shortenCalls().map(({ token }) => token)).toEqual([undefined, undefined]);
    await createLink(newLink('https://example.com/next'));
    // The issued token does not replace the user's.
    expect(service.shortenCalls().at(-1)?.token).toBe('curt_pasted');
  });

  test.each([
    [400, 'invalid_url'],
    [409, 'alias_taken'],
    [429, 'quota_exceeded'],
  ] as const)('is a new request with a new key after a %i %s', async (status, code) => {
    service.faults.push({ kind: 'failure', status, code });
    expect(await createLink(newLink())).toMatchObject({ ok: false, code });
    await createLink(newLink());
    const [first, second] = service.shortenCalls();
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  });

  test('keeps its key if the rate limit is reached after an unclear response', async () => {
    service.faults.push(
      { kind: 'lost_answer' },
      { kind: 'failure', status: 429, code: 'rate_limited', retryAfterSeconds: 30 },
    );
    await createLink(newLink());
    expect(await createLink(newLink())).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 30,
    });
    await createLink(newLink());
    expect(service.links).toHaveLength(1);
  });

  test.each([
    [401, 'invalid_token'],
    [400, 'blocked_url'],
    [400, 'invalid_domain'],
    [403, 'account_suspended'],
  ] as const)(
    'keeps its key after a %i %s, which the server checks before it',
    async (status, code) => {
      await useToken('curt_mine');
      service.faults.push({ kind: 'lost_answer' }, { kind: 'failure', status, code });
      await createLink(newLink());
      expect(await createLink(newLink())).toMatchObject({ code, queued: {} });
      expect(await createLink(newLink())).toMatchObject({ ok: true });
      expect(service.links).toHaveLength(1);
    },
  );

  test('is final after an error that the server reports after the key', async () => {
    service.faults.push(
      { kind: 'page', status: 502 },
      { kind: 'failure', status: 409, code: 'alias_taken' },
    );
    await createLink(newLink());
    expect(await createLink(newLink())).not.toHaveProperty('queued');
    expect(await onDisk()).not.toContain('"attempts"');
  });

  test('has the token in use once the server rejects the one of its call', async () => {
    await useToken('curt_mine');
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    service.tokens.clear();
    await useToken('curt_rotated');
    expect(await createLink(newLink())).toMatchObject({ code: 'invalid_token', queued: {} });
    await createLink(newLink());
    const calls = service.shortenCalls();
    expect(calls.map(({ token }) => token)).toEqual(['curt_mine', 'curt_mine', 'curt_rotated']);
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('gets a new key once the old one has expired on the server', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await createLink(newLink());
    nowMs += 25 * HOUR_MS;
    await createLink(newLink());
    const [first, second] = service.shortenCalls();
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  });
});

describe('before the first URL is sent to a server', () => {
  test('the server must identify as Curt', async () => {
    service.health = null;
    expect(await createLink(newLink())).toMatchObject({ ok: false, code: 'not_curt' });
    expect(service.shortenCalls()).toEqual([]);
  });

  test('the server is verified once, not for every link', async () => {
    await createLink(newLink());
    await newCreateLink()(newLink('https://example.com/other'));
    expect(service.calls.map(({ path }) => path)).toEqual([
      '/api/health',
      '/api/shorten',
      '/api/shorten',
    ]);
  });

  test('the server is verified again after a response that did not come from Curt', async () => {
    service.faults.push({ kind: 'page', status: 200 });
    expect(await createLink(newLink())).toMatchObject({ code: 'not_curt' });
    service.health = null;
    expect(await createLink(newLink())).toMatchObject({ code: 'not_curt' });
    expect(service.shortenCalls()).toHaveLength(1);
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

  test('the page’s title, if the link has none; it is not sent to the server', async () => {
    const title = ' The\n page ';
    expect(await createLink({ ...newLink(), title })).toMatchObject({
      data: { title: 'The page' },
    });
    const request = { originalUrl: PAGE, title: 'My own' };
    expect(await createLink({ ...newLink(), request, title })).toMatchObject({
      data: { title: 'My own' },
    });
    expect(JSON.stringify(service.shortenCalls())).not.toContain('The page');
  });

  test('no account token in what pages receive', async () => {
    expect(JSON.stringify(await createLink(newLink()))).not.toContain('curt_token');
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
    service.tokens.clear();
    expect(await createLink(newLink(PAGE, { isPrivate: true }))).toMatchObject({
      code: 'invalid_token',
    });
    expect(await createLink(newLink(PAGE, { isPrivate: true }))).toMatchObject({ ok: true });
  });

  test('keeps the saved token even if the server rejects it', async () => {
    await createLink(newLink());
    service.tokens.clear();
    await createLink(newLink());
    expect(await createLink(newLink())).toMatchObject({ code: 'invalid_token' });
  });

  test('has its own account, which other windows do not use', async () => {
    await createLink(newLink(PAGE, { isPrivate: true }));
    await createLink(newLink('https://example.com/private', { isPrivate: true }));
    await createLink(newLink('https://example.com/normal'));
    expect(service.shortenCalls().map(({ token }) => token)).toEqual([
      undefined,
      'curt_token-1',
      undefined,
    ]);
  });

  test('uses an existing token', async () => {
    await createLink(newLink());
    await createLink(newLink('https://example.com/private', { isPrivate: true }));
    expect(service.shortenCalls().at(-1)?.token).toBe('curt_token-1');
  });
});

describe('when storage is full', () => {
  let unlimit: () => void;
  beforeEach(() => {
    unlimit = limitStorage(10);
  });
  afterEach(() => unlimit());

  test('the link is returned, with a notice that it is not saved', async () => {
    expect(await createLink(newLink())).toMatchObject({
      ok: true,
      data: { originalUrl: PAGE },
      notSaved: 'storage_full',
    });
  });

  test('there is no second account and no second link for the page', async () => {
    const first = await createLink(newLink());
    const again = await createLink(newLink());
    await createLink(newLink('https://example.com/other'));
    expect(again).toMatchObject({ data: { shortUrl: first.ok && first.data.shortUrl } });
    expect(service.tokens.size).toBe(1);
    expect(service.links).toHaveLength(2);
  });

  test('the account is saved once there is space again', async () => {
    await createLink(newLink());
    unlimit();
    expect(await accountTokens.read()).toEqual({});
    expect(await createLink(newLink('https://example.com/other'))).not.toHaveProperty('notSaved');
    expect(await accountTokens.read()).toEqual({ [service.origin]: 'curt_token-1' });
  });
});

test('a link of a previous account is not saved for the one in use', async () => {
  await useToken('curt_mine');
  service.faults.push({ kind: 'lost_answer' });
  await createLink(newLink());
  await useToken('curt_other');
  expect(await createLink(newLink())).toMatchObject({ ok: true });
  expect(service.shortenCalls().at(-1)?.token).toBe('curt_mine');
  expect(await listLinks()).toEqual([]);
});

test('a request that is made again after the data is erased is another one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.held = promise;
  const first = createLink(newLink());
  await expect.poll(() => service.shortenCalls().length).toBe(1);
  await eraseData();
  const second = createLink(newLink());
  resolve();
  expect(await first).toMatchObject({ ok: true, data: { shortUrl: `${service.origin}/link1` } });
  expect(await second).toMatchObject({ ok: true, data: { shortUrl: `${service.origin}/link2` } });
  expect(await listLinks()).toMatchObject([{ shortUrl: `${service.origin}/link2` }]);
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
    service.delayMs = 300;
    const pending = createLink(newLink(PAGE, { isPrivate }));
    await expect.poll(() => service.shortenCalls().length).toBe(1);
    await eraseData();
    expect(await pending).toMatchObject({ ok: true });
    expect(await fakeBrowser.storage.local.get()).toEqual({});
    expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toMatch(/link1|curt_token/);
    // Later links are saved as usual.
    expect(await createLink(newLink())).toMatchObject({ ok: true });
    expect(await onDisk()).toContain('link2');
  },
);
