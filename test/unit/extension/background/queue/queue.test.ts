import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { listLinks } from '../../../../../extension/background/data/saved-links.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import {
  findPending,
  listQueued,
  movePending,
  pendingId,
  QUEUE_LIMIT,
  savePending,
} from '../../../../../extension/background/queue/pending-requests.ts';
import {
  createQueue,
  type DeferredOutcome,
  type Queue,
} from '../../../../../extension/background/queue/queue.ts';
import { type PendingRequest, pendingRequests } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import { hurryingTime, START } from '../../../../support/manual-time.ts';
import { breakStorage, whenStored } from '../../support/browser-storage.ts';
import { type Service, useService } from '../../support/service.ts';
import { standStill } from '../../support/stand-still.ts';

const PAGE = 'https://example.com/page';
const OTHER = 'https://example.com/other';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const newService = useService();
let service: Service;
let queue: Queue;
let nowMs: number;
let token: string;
let unsavedRounds: number;
let reported: [url: string, outcome: DeferredOutcome][];

beforeEach(async () => {
  fakeBrowser.reset();
  service = newService();
  nowMs = START;
  standStill();
  reported = [];
  unsavedRounds = 0;
  queue = newQueue();
});

/** Only has the stored state, as after a restart of the worker. */
function newQueue(): Queue {
  return createQueue({
    clientOf: (baseUrl) => createClient({ baseUrl }),
    nowMs: () => nowMs,
    chance: () => 0,
    onDeferred: async (_, { request }, outcome) =>
      void reported.push([request.originalUrl, outcome]),
    onUnsaved: async () => {
      unsavedRounds += 1;
    },
  });
}

function newLink(originalUrl = PAGE, more: { isPrivate?: boolean; requestId?: string } = {}) {
  return { origin: service.origin, request: { originalUrl }, isPrivate: false, ...more };
}

async function haveAccount(): Promise<void> {
  token = await service.openAccount();
  await replaceToken(service.origin, token);
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
/** Waits for a request that is saved with the time of now. */
const requestedNow = () =>
  whenStored(async () =>
    Object.values(await pendingRequests.read()).some(
      ({ requestedAtMs }) => requestedAtMs === nowMs,
    ),
  );
const onDisk = async () => JSON.stringify(await fakeBrowser.storage.local.get());
const shortenedUrls = () => service.links.map(({ originalUrl }) => originalUrl);

describe('a request is queued', () => {
  test('without an alarm after the data is erased', async () => {
    service.isAway = true;
    await queue.create(newLink());
    await eraseData();
    expect(await alarms()).toEqual([]);
  });

  test('before its first call, in case the worker stops', async () => {
    const health = Promise.withResolvers<object>();
    service.health = health.promise;
    const stopped = queue.create(newLink());
    await service.called(1, '/api/health');
    expect(Object.values(await pendingRequests.read())).toMatchObject([
      { request: { originalUrl: PAGE } },
    ]);
    expect(await alarms()).toHaveLength(1);
    service.health = undefined;
    await newQueue().retryAll('away');
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
    expect(service.links).toHaveLength(1);
    // Its call must not end in another test.
    health.reject(new TypeError('Failed to fetch'));
    await stopped;
  });

  test('and removed completely once its link is created', async () => {
    await queue.create({ ...newLink(), request: { originalUrl: PAGE, password: 'swordfish' } });
    expect(await onDisk()).not.toContain('swordfish');
    expect(await pendingRequests.read()).toEqual({});
    expect(await alarms()).toEqual([]);
  });

  test('in memory if the disk is full, and its link is created all the same', async () => {
    const unlimit = breakStorage();
    try {
      const { id } = (await shorteningFails()) ?? { id: '' };
      expect(await findPending(id)).toBeDefined();
      nowMs += MINUTE_MS;
      await newQueue().retryAll('due');
      expect(reported).toMatchObject([[PAGE, { ok: true, data: { notSaved: 'storage_failed' } }]]);
      nowMs += DAY_MS;
      await queue.retryAll('away');
      expect(reported).toHaveLength(1);
    } finally {
      unlimit();
    }
  });
});

test('a call that cannot be saved with its request is not sent, the user is told, and it is tried again', async () => {
  await haveAccount();
  await shorteningFails();
  const unlimit = breakStorage();
  onTestFinished(unlimit);
  await newQueue().retryAll('away');
  expect(service.shortenCalls()).toEqual([]);
  expect(unsavedRounds).toBe(1);
  const [alarmMs = 0] = await alarms();
  expect(alarmMs - START).toBeGreaterThanOrEqual(HOUR_MS);
  unlimit();
  await newQueue().retryAll('due');
  nowMs += HOUR_MS;
  await newQueue().retryAll('due');
  expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  expect(unsavedRounds).toBe(1);
});

describe('a queued request', () => {
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

  test('keeps its key if the worker stopped during a call and a limit was reached then', async () => {
    await haveAccount();
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const stopped = queue.create(newLink());
    await service.called(1);
    service.held = undefined;
    limited('rate_limited', 5);
    await newQueue().retryAll('away');
    nowMs += 10_000;
    await newQueue().retryAll('due');
    expect(service.shortenCalls()).toHaveLength(3);
    held.resolve();
    await stopped;
    expect(new Set(service.shortenCalls().map((call) => call.idempotencyKey)).size).toBe(1);
    expect(service.links).toHaveLength(1);
  });

  test('that is requested during a retry returns its result without a notification', async () => {
    await haveAccount();
    await shorteningFails();
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const round = queue.retryAll('away');
    await service.called(1);
    nowMs += 1000;
    const requested = queue.create(newLink());
    await requestedNow();
    held.resolve();
    expect(await requested).toMatchObject({ ok: true });
    await round;
    expect(service.links).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  test('can be discarded during a retry: its link is saved, but not reported', async () => {
    const { id } = (await shorteningFails()) ?? { id: '' };
    const { promise, resolve } = Promise.withResolvers<void>();
    service.held = promise;
    const retried = queue.retryAll('away');
    await service.called(1);
    await queue.discard(id);
    resolve();
    await retried;
    expect(await listLinks()).toHaveLength(1);
    expect(reported).toEqual([]);
  });
});

describe('a request is given up', () => {
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
    const [first, second] = service.shortenCalls();
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    nowMs += DAY_MS;
    limited('rate_limited', 60);
    await queue.retryAll('due');
    expect(reported).toEqual([]);
    nowMs += 1;
    service.isAway = true;
    await queue.retryAll('all');
    expect(reported).toEqual([[PAGE, { ok: false, code: 'given_up', isIndeterminate: false }]]);
    expect(await pendingRequests.read()).toEqual({});
  });

  test('a week after the user has asked for it again', async () => {
    await shorteningFails();
    nowMs += 6 * DAY_MS;
    await shorteningFails();
    service.isAway = true;
    nowMs += 6 * DAY_MS;
    await queue.retryAll('due');
    expect(reported).toEqual([]);
    nowMs += 2 * DAY_MS;
    await queue.retryAll('due');
    expect(reported).toMatchObject([[PAGE, { code: 'given_up' }]]);
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
      clientOf: (baseUrl) => createClient({ baseUrl, time: hurryingTime }),
      nowMs: () => nowMs,
      chance: () => 0,
      onDeferred: async () => {},
      onUnsaved: async () => {},
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
    expect(service.accounts).toBe(1);
  });

  test('are sent when the user creates another link on that server', async () => {
    await haveAccount();
    await shorteningFails();
    await queue.create(newLink(OTHER));
    await whenStored(async () => Object.keys(await pendingRequests.read()).length === 0);
    expect(shortenedUrls()).toEqual([OTHER, PAGE]);
    expect(reported).toMatchObject([[PAGE, { ok: true }]]);
  });

  test('leave the last calls of the minute to the user', async () => {
    await haveAccount();
    for (const path of ['a', 'b', 'c']) await shorteningFails(`https://example.com/${path}`);
    service.headers = {
      'ratelimit-limit': '10',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '60',
    };
    await queue.retryAll('away');
    expect(service.shortenCalls()).toHaveLength(1);
    // The server rounds to whole seconds.
    expect(await alarms()).toEqual([nowMs + MINUTE_MS + 1000]);
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
    expect(service.accounts).toBe(1);
    expect(shortenedUrls()).toEqual([PAGE, OTHER]);
  });

  test('that another request settles during a retry creates one link', async () => {
    service.faults.push({ kind: 'lost_answer' });
    await queue.create(newLink());
    const held = Promise.withResolvers<void>();
    service.held = held.promise;
    const other = queue.create(newLink(OTHER));
    await service.called(2);
    nowMs += 1000;
    const same = queue.create(newLink());
    await requestedNow();
    held.resolve();
    expect(await other).toMatchObject({ ok: true });
    expect(await same).toMatchObject({ ok: true, data: { originalUrl: PAGE } });
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
    customAlias: '',
    expiresInDays: 3,
  };
  beforeEach(() => {
    request.customAlias = `mine-${crypto.randomUUID()}`;
  });

  test('is the same request when it is repeated', async () => {
    service.isAway = true;
    await queue.create({ ...newLink(), request });
    const again = Object.fromEntries(Object.entries(request).reverse()) as typeof request;
    await queue.create({ ...newLink(), request: again });
    expect(Object.keys(await pendingRequests.read())).toHaveLength(1);
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
    await service.called(2);
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
      onUnsaved: async () => {},
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

test('of a page that is queued at both addresses of a server, the call that was sent to the new one stays', async () => {
  const to = 'https://new.example';
  for (const [origin, idempotencyKey] of [
    [service.origin, 'old'],
    [to, 'new'],
  ] as const) {
    const pending = { ...newLink(), origin };
    const call = { idempotencyKey, startedAtMs: nowMs };
    await savePending(await pendingId(pending), pending, nowMs, call);
  }
  await movePending(service.origin, to, { tokens: new Set(), nowMs });
  expect(Object.values(await pendingRequests.read())).toMatchObject([
    { origin: to, call: { idempotencyKey: 'new' } },
  ]);
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
