import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, onTestFinished } from 'vitest';
import type { PasswordCost } from '../../server/accounts/passwords.ts';
import { buildApp } from '../../server/app.ts';
import { readSettings } from '../../server/config.ts';
import type { BuiltFiles } from '../../server/lib/shipped-files.ts';
import type { Memory } from '../../server/limits/heap-watch.ts';
import type { Traffic } from '../../server/metrics/traffic.ts';
import type { Store } from '../../server/store/store.ts';
import { openStore } from '../../server/store/tools/open.ts';
import { isOwnDelay } from '../support/is-own-delay.ts';
import { ManualTime, START } from '../support/manual-time.ts';
import type { AtEnd } from '../support/new-folder.ts';
import { newTestData, type TestData } from './data/test-data.ts';
import { checkResponses } from './openapi/check-response.ts';

export const BASE_URL = 'https://s.example';
export { START };

export type TestService = {
  app: FastifyInstance;
  store: Store;
  data: TestData;
  clock: ManualTime;
  logLines: string[];
  /** Closes it before the test ends. */
  close: () => Promise<void>;
};

/** One test asserts what passwords really cost: test/unit/server/accounts/passwords.test.ts. */
const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1 };

type Options = {
  env?: Record<string, string>;
  randomBytes?: (size: number) => Buffer;
  dashboard?: BuiltFiles | undefined;
  traffic?: Traffic;
  memory?: Memory;
  /** Of a server that was closed. @default new data */
  data?: TestData;
};

/**
 * The real app with a real store, in a temporary folder or in PostgreSQL, which is removed at the end.
 *
 * @param atEnd by default, the end of the test
 */
export async function startService(
  { env = {}, data: given, ...options }: Options = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestService> {
  const data = given ?? (await newTestData(atEnd));
  const clock = new ManualTime();
  const logLines: string[] = [];
  const errors: unknown[] = [];
  // Registered first, so it runs last: closing may fail, too.
  atEnd(() => expect(errors).toEqual([]));
  const store = await openStore(data.url, {
    time: clock,
    onError: (error) => {
      if (!data.wasTakenAway() && !isOwnDelay(error)) errors.push(error);
    },
  });
  // Also if the app cannot be built.
  let closing: Promise<void> | undefined;
  const closeStore = () => {
    closing ??= store.close();
    return closing;
  };
  atEnd(closeStore);
  const settings = { BASE_URL, RATE_LIMIT_PER_MINUTE: '1000', ...env };
  const app = await buildApp({
    settings: readSettings(settings),
    store,
    time: clock,
    logStream: { write: (line) => logLines.push(line) },
    passwordCost: CHEAP,
    ...options,
  });
  await checkResponses(app, settings);
  atEnd(() => app.close());
  const close = async () => {
    await app.close();
    await closeStore();
  };
  return { app, store, data, clock, logLines, close };
}

/** One for all tests of a file or a `describe`, which don't notice each other's. */
export function startOnce<T>(start: (atEnd: AtEnd) => Promise<T>): () => T {
  let started: T;
  beforeAll(async () => {
    const tasks: (() => void | Promise<void>)[] = [];
    started = await start((task) => void tasks.unshift(task));
    return async () => {
      for (const task of tasks) await task();
    };
  });
  return () => started;
}

export function sharedService(options?: Options): () => TestService {
  return startOnce((atEnd) => startService(options, atEnd));
}

type CallOptions = {
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** @default 127.0.0.1 */
  remoteAddress?: string;
};

/** Calls the API, such as `PATCH /api/links/launch`. */
export async function call(
  { app }: Pick<TestService, 'app'>,
  request: string,
  { token, body, headers, remoteAddress }: CallOptions = {},
) {
  const [method, url] = request.split(' ') as ['GET', string];
  return app.inject({
    method,
    url,
    ...(remoteAddress && { remoteAddress }),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });
}

type ShortenOptions = Omit<CallOptions, 'body'> & { key?: string };

export function shorten(
  service: Pick<TestService, 'app'>,
  body: unknown,
  { key, headers, ...options }: ShortenOptions = {},
) {
  return call(service, 'POST /api/shorten', {
    ...options,
    body,
    headers: { ...(key && { 'idempotency-key': key }), ...headers },
  });
}

/** Creates a link, which must succeed, and returns its record. */
export async function makeLink(
  service: Pick<TestService, 'app'>,
  body: Record<string, unknown> = {},
  options: ShortenOptions = {},
) {
  const response = await shorten(
    service,
    { originalUrl: 'https://example.com/page', ...body },
    options,
  );
  if (response.statusCode !== 200) throw new Error(`no link was created: ${response.body}`);
  return response.json().data as import('../../shared/links/link-record.ts').CreatedLinkRecord;
}
