import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BATCH_BODY_MAX_BYTES, BATCH_LINKS_MAX } from '../../../shared/bounds.ts';
import type { BatchResult } from '../../../shared/links/batch.ts';
import { shortenRequestSchema } from '../../../shared/links/shorten-request.ts';
import { assertValidToken, type Caller } from '../../accounts/caller.ts';
import { monthlyQuotaOf, secondsToNextMonth } from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { Clock } from '../../lib/time.ts';
import { type BatchDependencies, createBatchShortener } from '../../links/create-batch.ts';
import type { Shortener } from '../../links/create-link.ts';
import { readIdempotencyKey } from '../../links/idempotency.ts';
import type { Store } from '../../store/store.ts';
import { ownerOf } from '../../web/plugins/endpoint.ts';
import { ERROR_STATUS, toErrorBody, toServiceError } from '../../web/plugins/errors.ts';
import { addRoutes } from './add-routes.ts';

/** Compiled, because every request uses it. */
export const shortenRequestParser = z.compile(shortenRequestSchema);

/** Each body is parsed by itself. */
const bodiesSchema = z
  .array(z.unknown())
  .min(1, 'The batch is empty.')
  .max(BATCH_LINKS_MAX, `A batch can have at most ${BATCH_LINKS_MAX} links.`);

/**
 * Registers `POST /api/shorten` and `POST /api/links/batch`. Checks in the documented order: rate limit, 401, 403,
 * 415, 413, 400, 422, quota, 409.
 *
 * @see docs/api.md, "Errors"
 */
export async function createLinkRoutes(
  app: FastifyInstance,
  {
    shorten,
    ...dependencies
  }: BatchDependencies & QuotaHeaderDependencies & { shorten: Shortener },
) {
  const add = addRoutes(app, 'Links', 'create');
  const shortenAll = createBatchShortener(dependencies, shorten);
  const creating = {
    isRateLimited: true,
    errorHandler: quotaHeadersOnErrors(dependencies),
    responseHeaders: QUOTA_HEADERS,
  } as const;

  add.createLink(
    {
      ...creating,
      isAnonymousAllowed: true,
      summary: 'Create a short link',
      description:
        'Without a token, an anonymous account is created together with its first link, and `data.newAuthToken` is its token.',
      parser: shortenRequestParser,
      examples: {
        'Only a target': { originalUrl: 'https://example.com/launch' },
        'A campaign that ends': {
          originalUrl: 'https://example.com/launch?source=newsletter',
          customAlias: 'launch',
          expiresInDays: 30,
          title: 'Launch',
          tags: ['newsletter', '2026'],
        },
        'A download for ten people who know a password': {
          originalUrl: 'https://example.com/report.pdf',
          password: 'correct horse battery staple',
          maxVisits: 10,
          generateQR: true,
        },
      },
      errors: [
        'invalid_url',
        'blocked_url',
        'expires_in_past',
        'conflicting_expiry',
        'alias_taken',
        'too_many_tags',
        'account_limit',
        'anonymous_limit',
        'store_full',
        'quota_exceeded',
        'busy',
      ],
    },
    async ({ body, by, request: { caller, headers }, reply }) => {
      assertValidToken(caller);
      const isAnonymous = caller.kind === 'anonymous';
      const idempotencyKey = readIdempotencyKey(headers['idempotency-key'], isAnonymous);
      const created = await shorten({ request: body, caller, by, idempotencyKey });
      setQuotaHeaders(reply, dependencies, caller, created.usedInMonth);
      const { record, authToken, isNewAccount, isReused } = created;
      const tokens = { authToken, ...(isNewAccount && { newAuthToken: authToken }) };
      return toCreatedResponse({ ...record, isReused, ...tokens });
    },
  );

  add.createLinks(
    {
      ...creating,
      bodyLimit: BATCH_BODY_MAX_BYTES,
      summary: 'Create up to 100 links',
      description:
        'Counts once against the rate limit; the quota counts links. Each request succeeds or fails by itself. The `Idempotency-Key` covers the whole batch: a retry creates only what failed before.',
      parser: bodiesSchema,
      examples: {
        'Two links': [
          { originalUrl: 'https://example.com/one', tags: ['print'] },
          { originalUrl: 'https://example.com/two', tags: ['print'], customAlias: 'two' },
        ],
      },
    },
    async ({ body, by, request, reply }) => {
      const caller = ownerOf(request);
      const results = await shortenAll({
        bodies: body,
        parse: (one) => parseInput(shortenRequestParser, one),
        caller,
        by,
        idempotencyKey: readIdempotencyKey(request.headers['idempotency-key'], false),
      });
      await setQuotaHeadersOf(caller, reply, dependencies);
      const data = results.map((result): BatchResult => {
        if (result.status === 'fulfilled') {
          return { status: 200, ...toCreatedResponse(result.value.record) };
        }
        const error = toServiceError(result.reason, request);
        return { status: ERROR_STATUS[error.code], ...toErrorBody(error) };
      });
      const created = data.filter(({ success }) => success).length;
      return { success: true, message: `${created} of ${data.length} links are ready.`, data };
    },
  );
}

function toCreatedResponse<Data>(data: Data) {
  return { success: true as const, message: 'The short link is ready.', data };
}

type QuotaHeaderDependencies = {
  settings: Pick<Settings, 'monthlyQuota'>;
  store: Pick<Store, 'countLinks'>;
  clock: Clock;
};

/** For the API reference. */
const QUOTA_HEADERS = {
  'X-Quota-Limit': 'Links per month, unless unlimited.',
  'X-Quota-Remaining': 'Links left this month, unless unlimited.',
  'X-Quota-Reset': 'Seconds until the quota resets, unless unlimited.',
};

/** Sets `X-Quota-*`, unless there is no quota. */
function setQuotaHeaders(
  reply: FastifyReply,
  { settings, clock }: QuotaHeaderDependencies,
  caller: Caller | undefined,
  usedInMonth: number,
): void {
  const monthlyQuota =
    caller?.kind === 'account' ? monthlyQuotaOf(caller.account, settings) : settings.monthlyQuota;
  if (monthlyQuota === Number.POSITIVE_INFINITY) return;
  reply.header('x-quota-limit', monthlyQuota);
  reply.header('x-quota-remaining', Math.max(0, monthlyQuota - usedInMonth));
  reply.header('x-quota-reset', secondsToNextMonth(clock()));
}

/** Creates the error handler of routes that create links. */
function quotaHeadersOnErrors(dependencies: QuotaHeaderDependencies) {
  return async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await setQuotaHeadersOf(request.caller, reply, dependencies);
    // Handled by the app's error handler.
    throw error;
  };
}

/** Counts the account's links first. */
async function setQuotaHeadersOf(
  /** Unset if the error came early. */
  caller: Caller | undefined,
  reply: FastifyReply,
  dependencies: QuotaHeaderDependencies,
): Promise<void> {
  if (caller?.kind !== 'account') return;
  const { month } = await dependencies.store.countLinks(caller.account.id, dependencies.clock());
  setQuotaHeaders(reply, dependencies, caller, month);
}
