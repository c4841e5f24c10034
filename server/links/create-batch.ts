import pLimit from 'p-limit';
import { BATCH_LINKS_MAX } from '../../shared/bounds.ts';
import { createKeyedMutex } from '../../shared/keyed-mutex.ts';
import type { ParsedShortenRequest } from '../../shared/links/shorten-request.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Clock } from '../lib/time.ts';
import type { Authorization } from '../store/account.ts';
import type { Store } from '../store/store.ts';
import { type CreatedLink, idempotencyMismatch, type Shortener } from './create-link.ts';
import { hashBatch, hashKey } from './idempotency.ts';

export type BatchDependencies = { store: Store; clock: Clock; dataSecret: Buffer };

/** An account hashes as many at once: only a few more of its calls may wait. */
const PASSWORDS_AT_ONCE = 1;

type BatchCall = {
  /** As sent, at most 100. */
  bodies: unknown[];
  /** @throws ServiceError */
  parse: (body: unknown) => ParsedShortenRequest;
  caller: Extract<Caller, { kind: 'account' }>;
  by: Authorization;
  /** Already validated by `readIdempotencyKey`. */
  idempotencyKey: string | undefined;
};

/**
 * Creates the use case of `POST /api/links/batch`, which creates links at once, each as a call of its own.
 *
 * An idempotency key covers the whole batch: each link has its own key, derived from it, and all have
 * the hash of the whole batch. So a retry creates only what failed before.
 */
export function createBatchShortener(dependencies: BatchDependencies, shorten: Shortener) {
  const { store, clock, dataSecret } = dependencies;
  const runExclusive = createKeyedMutex();

  /**
   * @returns the results in the order of the bodies
   * @throws ServiceError `idempotency_mismatch`
   */
  async function shortenAll(call: BatchCall): Promise<PromiseSettledResult<CreatedLink>[]> {
    const { bodies, caller, idempotencyKey } = call;
    if (idempotencyKey === undefined) return createAll(call, undefined);
    const batchHash = hashBatch(bodies, dataSecret);
    return runExclusive(`${caller.account.id} ${idempotencyKey}`, async () => {
      await assertSameBatch(caller.account.id, idempotencyKey, batchHash);
      return createAll(call, batchHash);
    });
  }

  /** An earlier batch may have been longer, and some of its links may have failed. */
  async function assertSameBatch(accountId: string, key: string, batchHash: string): Promise<void> {
    for (let index = 0; index < BATCH_LINKS_MAX; index++) {
      const keyHash = hashKey(keyOf(key, index), accountId, dataSecret);
      const replay = await store.findReplay(keyHash, clock());
      if (replay && replay.bodyHash !== batchHash) throw idempotencyMismatch();
    }
  }

  function createAll(
    { bodies, parse, caller, by, idempotencyKey }: BatchCall,
    batchHash: string | undefined,
  ): Promise<PromiseSettledResult<CreatedLink>[]> {
    const limitPasswords = pLimit(PASSWORDS_AT_ONCE);
    const create = async (body: unknown, index: number) => {
      const request = parse(body);
      const key = idempotencyKey === undefined ? undefined : keyOf(idempotencyKey, index);
      const createOne = () => shorten({ request, caller, by, idempotencyKey: key, batchHash });
      return request.password === undefined ? createOne() : limitPasswords(createOne);
    };
    return Promise.allSettled(bodies.map(create));
  }

  return shortenAll;
}

/** No key of a client has a space. */
function keyOf(idempotencyKey: string, index: number): string {
  return `${idempotencyKey} ${index}`;
}
