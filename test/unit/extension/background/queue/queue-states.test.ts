import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { listQueued } from '../../../../../extension/background/queue/pending-requests.ts';
import {
  createQueue,
  type DeferredOutcome,
  type Queue,
} from '../../../../../extension/background/queue/queue.ts';
import { pendingRequests } from '../../../../../extension/storage/items.ts';
import { createClient } from '../../../../../shared/client.ts';
import type { ErrorCode } from '../../../../../shared/errors.ts';
import type { Time } from '../../../../../shared/time.ts';
import { hurryingTime, ManualTime, START } from '../../../../support/manual-time.ts';
import { type Service, useService } from '../../support/service.ts';
import { standStill } from '../../support/stand-still.ts';

/**
 * What a request becomes. The first click leads to a state. Then something happens, which a new worker hears of,
 * while the network is as it says.
 *
 * - sends: `new` is a call with a new key, `same` one with the key, body and token of the call before.
 * - sees: what the click returns, and what a notification `tells`. `in 60 s` is when it is retried.
 * - left: the status that is stored.
 */
const TABLE = `
first click             | then           | network                   | sends | sees                      | left
                        | click          | fine                      | new   | link                      |
                        | click          | away                      |       | unreachable in 60 s       | queued
                        | click          | silent                    |       | timeout in 60 s           | queued
                        | click          | proxy 500                 |       | not_curt in 60 s          | queued
                        | click          | proxy 502                 |       | gateway_error in 60 s     | queued
                        | click          | another program           |       | not_curt                  |
                        | click          | lost answer               | new   | unreachable in 60 s       | indeterminate
                        | click          | slow answer               | new   | timeout in 60 s           | indeterminate
                        | click          | page 502                  | new   | gateway_error in 60 s     | indeterminate
                        | click          | page 200                  | new   | not_curt in 60 s          | indeterminate
                        | click          | 500 internal              | new   | internal in 60 s          | indeterminate
                        | click          | 503 store_unavailable 300 | new   | store_unavailable in 300 s | indeterminate
                        | click          | 429 rate_limited 42       | new   | rate_limited in 43 s      | queued
                        | click          | 429 account_limit 72000   | new   | account_limit in 72001 s  | queued
                        | click          | 429 account_limit         | new   | account_limit in 3600 s   | queued
                        | click          | 429 quota_exceeded 1728000 | new  | quota_exceeded in 1728001 s | queued
                        | click          | 400 invalid_url           | new   | invalid_url               |
                        | click          | 401 invalid_token         | new   | invalid_token             |
                        | click          | 409 alias_taken           | new   | alias_taken               |
fine                    | click          | fine                      | new   | link                      |
400 invalid_url         | click          | fine                      | new   | link                      |
409 alias_taken         | click          | fine                      | new   | link                      |
429 quota_exceeded 42   | click          | fine                      | new   | link                      |
lost answer             | click          | fine                      | same  | link                      |
slow answer             | click          | fine                      | same  | link                      |
500 internal            | click          | fine                      | same  | link                      |
503 store_unavailable   | click          | fine                      | same  | link                      |
page 502                | click          | fine                      | same  | link                      |
lost answer             | paste, click   | fine                      | same  | link                      |
lost answer             | 25 h, click    | fine                      | new   | link                      |
lost answer             | click          | 429 rate_limited 30       | same  | rate_limited in 31 s      | indeterminate
lost answer             | click          | 401 invalid_token         | same  | invalid_token in 60 s     | indeterminate
lost answer             | click          | 400 blocked_url           | same  | blocked_url in 60 s       | indeterminate
lost answer             | click          | 400 invalid_domain        | same  | invalid_domain in 60 s    | indeterminate
lost answer             | click          | 403 account_suspended     | same  | account_suspended in 60 s | indeterminate
page 502                | click          | 409 alias_taken           | same  | alias_taken               |
page 200                | click          | another program           |       | not_curt in 60 s          | indeterminate
away                    | due            | fine                      |       |                           | queued
away                    | 60 s, due      | fine                      | new   | tells link                |
away                    | wake           | fine                      | new   | tells link                |
away                    | wake           | away                      |       |                           | queued
away                    | wake           | 409 alias_taken           | new   | tells alias_taken         |
away                    | discard, wake  | fine                      |       |                           |
lost answer             | paste, 60 s, due | fine                    | same  | tells link                |
lost answer             | 24 h, due      | fine                      |       | tells given_up, perhaps created |
429 rate_limited 42     | wake           | fine                      |       |                           | queued
429 rate_limited 42     | 43 s, due      | fine                      | new   | tells link                |
429 rate_limited 42     | retry          | fine                      | new   | link, tells link          |
429 account_limit 72000 | wake           | fine                      |       |                           | queued
429 account_limit 72000 | paste, all     | fine                      | new   | tells link                |
`;
const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, ...string[]]);

const SECONDS: Record<string, number> = { s: 1, h: 3600 };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const newService = useService();
let service: Service;
let queue: Queue;
let nowMs: number;
let time: Time;
let told: DeferredOutcome[];

beforeEach(() => {
  fakeBrowser.reset();
  service = newService();
  nowMs = START;
  standStill();
  time = new ManualTime();
  told = [];
});

/** Only has the stored state. */
function startWorker(): void {
  queue = createQueue({
    clientOf: (baseUrl) => createClient({ baseUrl, time }),
    nowMs: () => nowMs,
    chance: () => 0,
    onDeferred: async (_id, _pending, outcome) => void told.push(outcome),
    onUnsaved: async () => expect.unreachable(),
  });
}

/** Runs a step while the network is as it says. */
async function during<T>(network: string, step: () => Promise<T>): Promise<T> {
  const [kind = '', code, seconds] = network.split(' ');
  const retryAfter = seconds ? { retryAfterSeconds: Number(seconds) } : {};
  const status = Number(kind);
  if (network === 'away') service.isAway = true;
  else if (network === 'silent') Object.assign(service, { health: 'never' });
  else if (network === 'slow answer') service.faults.push({ kind: 'slow_answer' });
  else if (network === 'another program') service.health = null;
  else if (network === 'lost answer') service.faults.push({ kind: 'lost_answer' });
  else if (kind === 'proxy') service.proxyAnswer = { status: Number(code) };
  else if (kind === 'page') service.faults.push({ kind, status: Number(code) });
  else if (status)
    service.faults.push({ kind: 'failure', status, code: code as ErrorCode, ...retryAfter });
  else expect(network).toBe('fine');
  time = network === 'silent' ? hurryingTime : new ManualTime();
  const result = await step();
  Object.assign(service, {
    isAway: false,
    health: undefined,
    proxyAnswer: undefined,
    faults: [],
  });
  return result;
}

/** @returns what the user sees at once, if it is the user who does it */
async function happens(event: string): Promise<string | undefined> {
  const [id = ''] = Object.keys(await pendingRequests.read());
  const [count, unit = ''] = event.split(' ');
  startWorker();
  if (unit) nowMs += Number(count) * (SECONDS[unit] ?? 0) * 1000;
  else if (event === 'click') return shownOf(await click());
  else if (event === 'retry') return shownOf(await queue.retry(id));
  else if (event === 'discard') await queue.discard(id);
  else if (event === 'paste') await replaceToken(service.origin, await service.openAccount());
  else await queue.retryAll(({ due: 'due', wake: 'away', all: 'all' } as const)[event] as 'due');
  return undefined;
}

function click() {
  // As the form builds it, in a different order from the one in Chromium's storage.
  const request = { originalUrl: 'https://example.com/page', title: 'Page', description: 'For me' };
  return queue.create({ origin: service.origin, request, isPrivate: false });
}

function shownOf(answer: Awaited<ReturnType<typeof click>>): string {
  if (answer.ok) return 'link';
  const { code, queued } = answer;
  return queued ? `${code} in ${(queued.retryAtMs - nowMs) / 1000} s` : code;
}

describe.each([
  ['without an account', false],
  ['with an account', true],
])('a request %s', (_, hasAccount) => {
  test.each(ROWS)('%s → %s → %s: sends %s, user sees %s, left %s', async (first, ...row) => {
    const [then = '', network = '', sends, sees, left] = row;
    if (hasAccount) await replaceToken(service.origin, await service.openAccount());
    startWorker();
    if (first !== '') await during(first, click);
    const before = service.shortenCalls();

    const shown = await during(network, async () => {
      const seen: (string | undefined)[] = [];
      for (const event of then.split(', ')) seen.push(await happens(event));
      return seen;
    });

    const calls = service.shortenCalls().slice(before.length);
    const earlier = before.map(({ idempotencyKey }) => idempotencyKey);
    const sent = calls.map((call) => {
      if (earlier.includes(call.idempotencyKey)) expect(call).toEqual(before.at(-1));
      else expect(call.idempotencyKey).toMatch(UUID);
      return earlier.includes(call.idempotencyKey) ? 'same' : 'new';
    });
    const tells = told.map((outcome) => {
      if (outcome.ok) return 'tells link';
      const isUnclear = outcome.code === 'given_up' && outcome.isIndeterminate;
      return `tells ${outcome.code}${isUnclear ? ', perhaps created' : ''}`;
    });
    const pending = Object.values(await pendingRequests.read()).filter((one) => !one.isDiscarded);
    expect({
      sends: sent.join(),
      sees: [...shown, ...tells].filter(Boolean).join(', '),
      left: pending.map(({ status }) => status).join(),
    }).toEqual({ sends, sees, left });
    // A call that is repeated creates no second link.
    const keys = new Set(service.shortenCalls().map(({ idempotencyKey }) => idempotencyKey));
    expect(service.links.length).toBeLessThanOrEqual(keys.size);
    for (const { status, call } of pending) expect(call !== undefined).toBe(status !== 'queued');
    const times = pending.map(({ retryAtMs }) => retryAtMs);
    expect((await listQueued(false)).map(({ retryAtMs }) => retryAtMs)).toEqual(times);
    const alarms = await fakeBrowser.alarms.getAll();
    expect(alarms.map(({ scheduledTime }) => scheduledTime)).toEqual(times);
  });
});
