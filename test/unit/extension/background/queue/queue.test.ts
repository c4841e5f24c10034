import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { eraseData } from '../../../../../extension/background/data/erase.ts';
import {
  changeLinks,
  findLinks,
  hasAllLinks,
  listLinks,
} from '../../../../../extension/background/links/saved-links.ts';
import {
  findPending,
  listQueued,
  QUEUE_LIMIT,
} from '../../../../../extension/background/queue/pending-requests.ts';
import {
  createQueue,
  type DeferredOutcome,
  type Queue,
} from '../../../../../extension/background/queue/queue.ts';
import { replaceToken } from '../../../../../extension/background/server/tokens.ts';
import { type PendingRequest, pendingRequests } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import { limitStorage } from '../../support/browser-storage.ts';
import { type Service, startService } from '../../support/service.ts';

const PAGE = 'https://example.com/page';
const OTHER = 'https://example.com/other';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = 'curt_mine';

let service: Service;
let queue: Queue;
let nowMs: number;
let reported: [url: string, outcome: DeferredOutcome][];

beforeEach(async () => {
  fakeBrowser.reset();
  service = await startService();
  nowMs = Date.now();
  reported = [];
  queue = newQueue();
});
afterEach(() => service.stop());

/** Only has the stored state, as after a restart of the worker. */
function newQueue(): Queue {
  return createQueue({
    clientOf: (baseUrl) => createClient({ baseUrl }),
    nowMs: () => nowMs,
    chance: () => 0,
    onDeferred: async (_, { request }, outcome) =>
      void reported.push([request.originalUrl, outcome]),
  });
}

function newLink(originalUrl = PAGE, more: { isPrivate?: boolean; requestId?: string } = {}) {
  return { origin: service.origin, request: { originalUrl }, isPrivate: false, ...more };
}

async function haveAccount(): Promise<void> {
  service.tokens.add(TOKEN);
  await replaceToken(service.origin, TOKEN);
}

/** Queues a request while the server is unavailable. @returns the stored request */
async function shorteningFails(originalUrl = PAGE, more: { isPrivate?: boolean } = {}) {
  service.isAway = true;
  const answer = await queue.create(newLink(originalUrl, more));
  service.isAway = false;
  return answer.ok ? undefined : answer.queued;
}

const limited = (
  code: 'rate_limited' | 'account_limit' | 'quota_exceeded',
  retryAfterSeconds?: number,
) =>
  service.faults.push({
    kind: 'failure',
    status: 429,
    code,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
const alarms = async () =>
  (await fakeBrowser.alarms.getAll()).map(({ scheduledTime }) => scheduledTime);
const onDisk = async () => JSON.stringify(await fakeBrowser.storage.local.get());
const shortenedUrls = () => service.links.map(({ originalUrl }) => originalUrl);

describe('a request is queued', () => {
  test.each([
    ['nobody answers', () => (service.isAway = true)],
    ['the answer is lost', () => service.faults.push({ kind: 'lost_answer' })],
    [
      'the server fails',
      () => service.faults.push({ kind: 'failure', status: 500, code: 'internal' }),
    ],
    ['a proxy answers', () => service.faults.push({ kind: 'page', status: 502 })],
    ['a proxy answers the first call', () => (service.proxyAnswer = { status: 502 })],
  ])('for a minute at first when %s', async (_, goWrong) => {
    goWrong();
    const answer = await queue.create(newLink());
    expect(answer).toMatchObject({ ok: false, queued: { retryAtMs: nowMs + MINUTE_MS } });
    expect(await alarms()).toEqual([nowMs + MINUTE_MS]);
    expect(await listQueued(false)).toMatchObject([{ url: PAGE, ...queued(answer) }]);
  });

  test('without an alarm after the data is erased', async () => {
    service.isAway = true;
    await queue.create(newLink());
    await eraseData();
    expect(await alarms()).toEqual([]);
  });

  test('when the server does not respond', async () => {
    service.health = 'never';
    queue = createQueue({
      clientOf: (baseUrl) => createClient({ baseUrl, timeoutMs: 100 }),
      onDeferred: async () => {},
    });
    expect(await queue.create(newLink())).toMatchObject({ code: 'timeout', queued: {} });
  });

  test.each([
    ['rate_limited', 42],
    ['account_limit', 20 * 3600],
    ['quota_exceeded', 20 * 24 * 3600],
  ] as const)('until just after the time that a %s gives', async (code, seconds) => {
    limited(code, seconds);
    expect(await queue.create(newLink())).toMatchObject({
      code,
      queued: { retryAtMs: nowMs + (seconds + 1) * 1000 },
    });
  });

  test('for as long as Retry-After says, if that is longer than a minute', async () => {
    const code = 'store_unavailable';
    service.faults.push({ kind: 'failure', status: 503, code, retryAfterSeconds: 300 });
    expect(await queue.create(newLink())).toMatchObject({ queued: { retryAtMs: nowMs + 300_000 } });
  });

  test.each([
    [400, 'invalid_url'],
    [401, 'invalid_token'],
    [409, 'alias_taken'],
  ] as const)('but not after a %i %s, which a retry would not change', async (status, code) => {
    service.faults.push({ kind: 'failure', status, code });
    const answer = await queue.create(newLink());
    expect(answer).toMatchObject({ ok: false, code });
    expect(answer).not.toHaveProperty('queued');
    expect(await pendingRequests.read()).toEqual({});
    expect(await alarms()).toEqual([]);
  });

  test('but not if the server is not Curt, and nothing is sent to it', async () => {
    service.health = null;
    expect(await queue.create(newLink())).not.toHaveProperty('queued');
    expect(await pendingRequests.read()).toEqual({});
  });

  test('before its first call, in case the worker stops', async () => {
    service.health = 'never';
    void queue.create(newLink());
    await expect.poll(() => service.calls.length).toBe(1);
    expect(Object.values(await pendingRequests.read())).toMatchObject([
      { request: { originalUrl: PAGE } },
    ]);
    expect(await alarms()).toHaveLength(1);
    service.health = { status: 'ok', service: 'curt', version: '0.1.0' };
    await newQueue().retryAll('away');
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
    expect(service.links).toHaveLength(1);
  });

  test('and removed completely once its link is created', async () => {
    await queue.create({ ...newLink(), request: { originalUrl: PAGE, password: 'swordfish' } });
    expect(await onDisk()).not.toContain('swordfish');
    expect(await pendingRequests.read()).toEqual({});
    expect(await alarms()).toEqual([]);
  });

  test('in memory if the disk is full, and its link is created all the same', async () => {
    const unlimit = limitStorage(10);
    try {
      const { id } = (await shorteningFails()) ?? { id: '' };
      expect(await findPending(id)).toBeDefined();
      nowMs += MINUTE_MS;
      await newQueue().retryAll('due');
      expect(reported).toMatchObject([[PAGE, { ok: true, notSaved: 'storage_full' }]]);
      nowMs += DAY_MS;
      await queue.retryAll('away');
      expect(reported).toHaveLength(1);
    } finally {
      unlimit();
    }
  });
});

test('a call that does not fit on disk is not sent with a new key after the browser restarts', async () => {
  await haveAccount();
  await shorteningFails();
  const { local, session } = fakeBrowser.storage;
  const unlimit = limitStorage((await local.getBytesInUse(null)) + 10);
  try {
    service.faults.push({ kind: 'lost_answer' });
    await queue.retryAll('away');
    await session.clear();
    await newQueue().retryAll('all');
    expect(service.shortenCalls()).toHaveLength(1);
  } finally {
    unlimit();
  }
});

describe('a queued request', () => {
  test('is sent when it is due, by a worker that only has the stored state, and reported', async () => {
    await shorteningFails();
    nowMs += MINUTE_MS;
    await newQueue().retryAll('due');
    expect(reported).toMatchObject([[PAGE, { ok: true, data: { originalUrl: PAGE } }]]);
    expect((await findLinks(service.origin, PAGE, false, nowMs))[0]).toBeDefined();
    expect(await pendingRequests.read()).toEqual({});
    expect(await alarms()).toEqual([]);
  });

  test('is not sent before it is due, unless its server may be available again', async () => {
    await shorteningFails();
    await queue.retryAll('due');
    expect(reported).toEqual([]);
    await queue.retryAll('away');
    expect(reported).toHaveLength(1);
  });

  test('is not sent before a limit ends, even if the worker starts', async () => {
    limited('rate_limited', 42);
    await queue.create(newLink());
    await newQueue().retryAll('away');
    expect(service.shortenCalls()).toHaveLength(1);
    nowMs += 43_000;
    await newQueue().retryAll('due');
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('is not retried every minute if the account limit has no end time', async () => {
    limited('account_limit');
    expect(await queue.create(newLink())).toMatchObject({ queued: { retryAtMs: nowMs + HOUR_MS } });
  });

  test('that waits for the account limit is sent with a token pasted meanwhile', async () => {
    limited('account_limit', 20 * 3600);
    await queue.create(newLink());
    await newQueue().retryAll('away');
    expect(service.shortenCalls()).toHaveLength(1);
    await haveAccount();
    await queue.retryAll('all');
    expect(service.shortenCalls().at(-1)?.token).toBe(TOKEN);
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('is retried with increasing delays up to an hour', async () => {
    const waits: number[] = [];
    service.isAway = true;
    await queue.create(newLink());
    for (let attempt = 0; attempt < 8; attempt++) {
      const [atMs = 0] = await alarms();
      waits.push((atMs - nowMs) / MINUTE_MS);
      nowMs = atMs;
      await queue.retryAll('due');
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('is not delayed by early attempts', async () => {
    service.isAway = true;
    await queue.create(newLink());
    for (let start = 0; start < 5; start++) await newQueue().retryAll('away');
    expect(await alarms()).toEqual([nowMs + MINUTE_MS]);
  });

  test('repeats key and credentials if its call is indeterminate', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    await replaceToken(service.origin, 'curt_pasted');
    nowMs += MINUTE_MS;
    await newQueue().retryAll('due');
    const [first, second] = service.shortenCalls();
    expect(second).toEqual(first);
    expect(service.links).toHaveLength(1);
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('keeps its key if the worker stopped during a call and a limit was reached then', async () => {
    await haveAccount();
    service.delayMs = 200;
    void queue.create(newLink());
    await expect.poll(() => service.shortenCalls().length).toBe(1);
    limited('rate_limited', 5);
    await newQueue().retryAll('away');
    service.delayMs = 0;
    nowMs += 10_000;
    await newQueue().retryAll('due');
    expect(new Set(service.shortenCalls().map((call) => call.idempotencyKey)).size).toBe(1);
    expect(service.links).toHaveLength(1);
  });

  test('that is requested again is the same request', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    expect(await queue.create(newLink())).toMatchObject({ ok: true });
    expect(service.links).toHaveLength(1);
    expect(await alarms()).toEqual([]);
    expect(reported).toEqual([]);
  });

  test('that is requested during a retry returns its result without a notification', async () => {
    await haveAccount();
    await shorteningFails();
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const round = queue.retryAll('away');
    await expect.poll(() => service.shortenCalls().length).toBe(1);
    const requestedAt = async () =>
      Object.values(await pendingRequests.read()).map(({ requestedAtMs }) => requestedAtMs);
    const before = await requestedAt();
    const requested = queue.create(newLink());
    await expect.poll(requestedAt).not.toEqual(before);
    held.resolve();
    expect(await requested).toMatchObject({ ok: true });
    await round;
    expect(service.links).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  test('that is rejected is reported and removed', async () => {
    await shorteningFails();
    service.faults.push({ kind: 'failure', status: 409, code: 'alias_taken' });
    await queue.retryAll('away');
    expect(reported).toMatchObject([[PAGE, { ok: false, code: 'alias_taken' }]]);
    expect(await pendingRequests.read()).toEqual({});
  });

  test('can be discarded, and is not sent then', async () => {
    const { id } = (await shorteningFails()) ?? { id: '' };
    await queue.discard(id);
    await queue.retryAll('away');
    expect(service.shortenCalls()).toEqual([]);
    expect(await alarms()).toEqual([]);
    expect(reported).toEqual([]);
  });

  test('can be discarded during a retry: its link is saved, but not reported', async () => {
    const { id } = (await shorteningFails()) ?? { id: '' };
    const { promise, resolve } = Promise.withResolvers<void>();
    service.held = promise;
    const retried = queue.retryAll('away');
    await expect.poll(() => service.shortenCalls().length).toBe(1);
    await queue.discard(id);
    resolve();
    await retried;
    expect(await listLinks()).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  test('can be retried immediately', async () => {
    limited('rate_limited', 42);
    const { id = '' } = queued(await queue.create(newLink())) ?? {};
    expect(await queue.retry(id)).toMatchObject({ ok: true });
    expect(reported).toHaveLength(1);
  });
});

describe('a request is given up', () => {
  test('when its key expires, if it is indeterminate, and is not sent again', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    nowMs += DAY_MS;
    await newQueue().retryAll('due');
    expect(reported).toEqual([[PAGE, { ok: false, code: 'given_up', isIndeterminate: true }]]);
    expect(service.shortenCalls()).toHaveLength(1);
    expect(await pendingRequests.read()).toEqual({});
  });

  test('only after an attempt in the last hour, if it is indeterminate', async () => {
    const startMs = nowMs;
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    service.isAway = true;
    let lastMs = nowMs;
    while (reported.length === 0) {
      lastMs = nowMs;
      const [atMs = 0] = await alarms();
      nowMs = atMs;
      await queue.retryAll('due');
    }
    expect(nowMs - startMs).toBeLessThan(DAY_MS);
    expect(nowMs - lastMs).toBeLessThanOrEqual(HOUR_MS);
  });

  test.each([
    ['it is given up', (id: string) => void id],
    ['it is discarded', (id: string) => queue.discard(id)],
  ])('and the list counts as incomplete if it is indeterminate when %s', async (_, discard) => {
    await haveAccount();
    await changeLinks(service.origin, () => ({ links: [], nextCursor: null }));
    service.faults.push({ kind: 'lost_answer' });
    const { id = '' } = queued(await queue.create(newLink())) ?? {};
    expect(await hasAllLinks(service.origin)).toBe(true);
    await discard(id);
    nowMs += DAY_MS;
    await queue.retryAll('due');
    expect(await hasAllLinks(service.origin)).toBe(false);
  });

  test('after a week of retries with new keys, if no link was created', async () => {
    await haveAccount();
    limited('rate_limited', 60);
    await queue.create(newLink());
    service.isAway = true;
    nowMs += 6 * DAY_MS;
    await queue.retryAll('due');
    expect(reported).toEqual([]);
    service.isAway = false;
    limited('rate_limited', 60);
    await queue.retryAll('away');
    nowMs += 2 * DAY_MS;
    const [first, second] = service.shortenCalls();
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    service.isAway = true;
    await queue.retryAll('due');
    expect(reported).toEqual([[PAGE, { ok: false, code: 'given_up', isIndeterminate: false }]]);
    expect(await pendingRequests.read()).toEqual({});
  });

  test('a week after the monthly quota resets, if that was exceeded', async () => {
    limited('quota_exceeded', 25 * 24 * 3600);
    await queue.create(newLink());
    service.isAway = true;
    nowMs += 25 * DAY_MS + 2000;
    await queue.retryAll('due');
    expect(reported).toEqual([]);
    nowMs += 8 * DAY_MS;
    await queue.retryAll('due');
    expect(reported).toMatchObject([[PAGE, { code: 'given_up' }]]);
  });
});

describe('several requests', () => {
  test('have one alarm, for the earliest', async () => {
    limited('rate_limited', 300);
    await queue.create(newLink());
    expect(await alarms()).toEqual([nowMs + 301_000]);
    await shorteningFails(OTHER);
    expect(await alarms()).toEqual([nowMs + MINUTE_MS]);
  });

  test('call an unavailable server once, and wait together', async () => {
    for (const path of ['a', 'b', 'c']) await shorteningFails(`https://example.com/${path}`);
    service.health = 'never';
    queue = createQueue({
      clientOf: (baseUrl) => createClient({ baseUrl, timeoutMs: 2000 }),
      nowMs: () => nowMs,
      chance: () => 0,
      onDeferred: async () => {},
    });
    nowMs += MINUTE_MS;
    await queue.retryAll('due');
    expect(service.calls).toHaveLength(1);
    expect(await alarms()).toEqual([nowMs + 2 * MINUTE_MS]);
  });

  test('are sent one by one when the server is available again, with one account', async () => {
    for (const path of ['a', 'b', 'c']) await shorteningFails(`https://example.com/${path}`);
    await newQueue().retryAll('away');
    expect(reported).toHaveLength(3);
    expect(service.links).toHaveLength(3);
    expect(service.tokens.size).toBe(1);
  });

  test('are sent when the user creates another link on that server', async () => {
    await haveAccount();
    await shorteningFails();
    await queue.create(newLink(OTHER));
    await expect.poll(() => shortenedUrls()).toEqual([OTHER, PAGE]);
    await expect.poll(() => reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('leave the last calls of the minute to the user', async () => {
    await haveAccount();
    for (const path of ['a', 'b', 'c']) await shorteningFails(`https://example.com/${path}`);
    service.headers = {
      'ratelimit-limit': '10',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '30',
    };
    await queue.retryAll('away');
    expect(service.shortenCalls()).toHaveLength(1);
    expect(await alarms()).toEqual([nowMs + MINUTE_MS]);
    expect(await listQueued(false)).toHaveLength(2);
  });

  test('do not wait for one that causes a server error', async () => {
    await haveAccount();
    await shorteningFails();
    await shorteningFails(OTHER);
    service.faults.push({ kind: 'failure', status: 500, code: 'internal' });
    await queue.retryAll('away');
    expect(shortenedUrls()).toEqual([OTHER]);
  });

  test('do not wait for one whose repeated call is rejected', async () => {
    await haveAccount();
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    await shorteningFails(OTHER);
    service.faults.push({ kind: 'failure', status: 403, code: 'blocked_url' });
    await queue.retryAll('away');
    expect(reported).toMatchObject([[OTHER, { ok: true }]]);
  });

  test('are settled if indeterminate, even after the monthly quota is exceeded', async () => {
    await haveAccount();
    limited('quota_exceeded', 3600);
    await queue.create(newLink());
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink(OTHER));
    nowMs += 2 * HOUR_MS;
    limited('quota_exceeded', 3600);
    await queue.retryAll('due');
    expect(reported).toMatchObject([[OTHER, { ok: true }]]);
    expect(service.links).toHaveLength(1);
  });

  test('are limited to a hundred per server, and nothing of the others is sent', async () => {
    service.isAway = true;
    const waits = Array.from({ length: QUEUE_LIMIT }, (_, index) => [
      `id-${index}`,
      {
        ...newLink(`https://example.com/${index}`),
        requestedAtMs: nowMs,
        failure: 'unreachable',
        attempts: 1,
        retryAtMs: nowMs + HOUR_MS,
        retryUntilMs: nowMs + DAY_MS,
      },
    ]);
    await fakeBrowser.storage.local.set({ pendingRequests: Object.fromEntries(waits) });
    service.isAway = false;
    expect(await queue.create(newLink())).toEqual({ ok: false, code: 'queue_full' });
    expect(service.calls).toEqual([]);
    expect(await queue.create({ ...newLink(), isPrivate: true })).toMatchObject({ ok: true });
  });
});

describe('a first call without a response', () => {
  test('that another request settles is reported, and creates one account', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    expect(await queue.create(newLink(OTHER))).toMatchObject({ ok: true });
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
    expect(service.tokens.size).toBe(1);
    expect(shortenedUrls()).toEqual([PAGE, OTHER]);
  });

  test('that another request settles during a retry creates one link', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    const [other, same] = await Promise.all([
      queue.create(newLink(OTHER)),
      queue.create(newLink()),
    ]);
    expect(other).toMatchObject({ ok: true });
    expect(same).toMatchObject({ ok: true, data: { originalUrl: PAGE } });
    expect(shortenedUrls()).toEqual([PAGE, OTHER]);
  });
});

describe('a message', () => {
  test('that is repeated because its response got lost creates one link', async () => {
    const first = await queue.create(newLink(PAGE, { requestId: 'message-1' }));
    const again = await newQueue().create(newLink(PAGE, { requestId: 'message-1' }));
    expect(again).toMatchObject({ ok: true, data: first.ok && first.data });
    expect(service.links).toHaveLength(1);
    await queue.create(newLink(PAGE, { requestId: 'message-2' }));
    expect(service.links).toHaveLength(2);
  });

  test('whose request a retry has completed meanwhile returns that link', async () => {
    await haveAccount();
    service.isAway = true;
    await queue.create(newLink(PAGE, { requestId: 'message-1' }));
    service.isAway = false;
    await newQueue().retryAll('away');
    expect(await newQueue().create(newLink(PAGE, { requestId: 'message-1' }))).toMatchObject({
      ok: true,
    });
    expect(service.links).toHaveLength(1);
  });
});

describe('a queued request with options', () => {
  /** As the form builds it, in a different order from the one in Chromium's storage. */
  const request = {
    originalUrl: PAGE,
    title: 'Page',
    description: 'For the team',
    customAlias: 'mine',
    expiresInDays: 3,
  };

  test('creates one link, and leaves the queue', async () => {
    service.isAway = true;
    await queue.create({ ...newLink(), request });
    service.isAway = false;
    for (let round = 0; round < 3; round++) {
      nowMs += MINUTE_MS;
      await newQueue().retryAll('all');
    }
    expect(service.links.map(({ alias }) => alias)).toEqual(['mine']);
    expect(await pendingRequests.read()).toEqual({});
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('is the same request when it is repeated', async () => {
    service.isAway = true;
    await queue.create({ ...newLink(), request });
    const again = Object.fromEntries(Object.entries(request).reverse()) as typeof request;
    await queue.create({ ...newLink(), request: again });
    expect(Object.keys(await pendingRequests.read())).toHaveLength(1);
  });

  test('repeats a call without a response unchanged, so that the server does not report a mismatch', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create({ ...newLink(), request });
    nowMs += MINUTE_MS;
    await newQueue().retryAll('due');
    const [first, second] = service.shortenCalls();
    expect(second).toEqual(first);
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('is retried under its stored id, however that was computed', async () => {
    service.isAway = true;
    await queue.create({ ...newLink(), request });
    service.isAway = false;
    await pendingRequests.update((stored) => ({
      'id-of-before': Object.values(stored)[0] as never,
    }));
    nowMs += MINUTE_MS;
    await newQueue().retryAll('due');
    await newQueue().retryAll('all');
    expect(service.links).toHaveLength(1);
    expect(await pendingRequests.read()).toEqual({});
  });
});

describe('the status of a stored request', () => {
  const statuses = async () =>
    Object.values(await pendingRequests.read()).map(({ status, call }) => [status, call?.token]);

  test('is "queued" as long as no link was created', async () => {
    await haveAccount();
    await shorteningFails();
    expect(await statuses()).toEqual([['queued', undefined]]);
    limited('rate_limited', 60);
    await queue.create(newLink());
    expect(await statuses()).toEqual([['queued', undefined]]);
  });

  test('is "sending" during the call, and the request is removed afterwards', async () => {
    await haveAccount();
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const pending = queue.create(newLink());
    await expect.poll(statuses).toEqual([['sending', TOKEN]]);
    held.resolve();
    expect(await pending).toMatchObject({ ok: true });
    expect(await statuses()).toEqual([]);
  });

  test('is "indeterminate" after a call without a clear response', async () => {
    await haveAccount();
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    expect(await statuses()).toEqual([['indeterminate', TOKEN]]);
  });

  test('"sending" after a restart of the worker is treated as "indeterminate"', async () => {
    await haveAccount();
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    await pendingRequests.update((stored) =>
      Object.fromEntries(
        Object.entries(stored).map(([id, request]) => [id, { ...request, status: 'sending' }]),
      ),
    );
    await newQueue().retryAll('away');
    expect(new Set(service.shortenCalls().map((call) => call.idempotencyKey)).size).toBe(1);
    expect(service.links).toHaveLength(1);
    expect(await statuses()).toEqual([]);
  });

  test('is written before its server is verified, and with its call before that is sent', async () => {
    await haveAccount();
    const written = recordStatuses();
    await queue.create(newLink());
    expect(written()).toEqual([['queued'], ['sending'], []]);
  });

  test('is written once, with its call, before it is sent to a server that is verified', async () => {
    await haveAccount();
    await queue.create(newLink());
    const written = recordStatuses();
    const created = queue.create(newLink(OTHER));
    await expect.poll(() => service.shortenCalls()).toHaveLength(2);
    const savedKeys = written.calls();
    expect(await created).toMatchObject({ ok: true });
    expect(written()).toEqual([['sending'], []]);
    expect(savedKeys).toEqual([service.shortenCalls()[1]?.idempotencyKey]);
  });

  test('is sent with the call that it was saved with if the worker stops in between', async () => {
    await haveAccount();
    const stopped = await startWorker();
    await stopped.create(newLink());
    const written = recordStatuses();
    const { local } = fakeBrowser.storage;
    const set = local.set.bind(local);
    const isSaved = new Promise<void>((resolve) => {
      // Nothing runs in a worker that has stopped.
      vi.spyOn(local, 'set').mockImplementationOnce(async (items: object) => {
        await set(items, () => {});
        resolve();
        await new Promise(() => {});
      });
    });
    void stopped.create(newLink(OTHER));
    await isSaved;
    expect(service.shortenCalls()).toHaveLength(1);
    await (await startWorker()).retryAll('away');
    const keys = service.shortenCalls().map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.slice(1)).toEqual(written.calls().slice(0, 1));
    expect(service.links).toHaveLength(2);
  });

  /** The queue of a new worker, which only has what is stored. */
  async function startWorker(): Promise<Queue> {
    vi.resetModules();
    const worker = await import('../../../../../extension/background/queue/queue.ts');
    return worker.createQueue({
      clientOf: (baseUrl) => createClient({ baseUrl }),
      onDeferred: async () => {},
    });
  }

  /** Records the statuses of the requests in each write from now on, and the keys of their calls. */
  function recordStatuses() {
    const set = vi.spyOn(fakeBrowser.storage.local, 'set');
    onTestFinished(() => void set.mockRestore());
    const writes = () =>
      set.mock.calls.flatMap(([items]) => {
        const { pendingRequests: stored } = items as {
          pendingRequests?: Record<string, PendingRequest>;
        };
        return stored ? [Object.values(stored)] : [];
      });
    const statuses = () => writes().map((all) => all.map(({ status }) => status));
    return Object.assign(statuses, {
      calls: () => writes().flatMap((all) => all.map(({ call }) => call?.idempotencyKey)),
    });
  }
});

describe('a private window', () => {
  test('writes nothing of a queued request to disk', async () => {
    const before = await onDisk();
    expect(await shorteningFails(PAGE, { isPrivate: true })).toBeDefined();
    expect(await onDisk()).toBe(before);
    expect(await listQueued(true)).toHaveLength(1);
    expect(await listQueued(false)).toEqual([]);
  });

  test('retries it until the browser closes', async () => {
    await shorteningFails(PAGE, { isPrivate: true });
    await shorteningFails(OTHER, { isPrivate: true });
    nowMs += MINUTE_MS;
    await newQueue().retryAll('due');
    expect(reported.map(([url]) => url)).toEqual([PAGE, OTHER]);
    await shorteningFails('https://example.com/third', { isPrivate: true });
    await fakeBrowser.storage.session.clear();
    nowMs += HOUR_MS;
    await newQueue().retryAll('away');
    expect(service.links).toHaveLength(2);
  });
});

function queued(answer: Awaited<ReturnType<Queue['create']>>) {
  return answer.ok ? undefined : answer.queued;
}
