import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { ErrorCode, Issue } from '../../shared/errors.ts';
import type { ShortenResponse } from '../../shared/link-record.ts';
import { type ParsedShortenRequest, shortenRequestSchema } from '../../shared/shorten-request.ts';
import type { Settings } from '../config.ts';
import type { Service } from '../core/context.ts';
import { ServiceError } from '../core/service-error.ts';
import { createShortener } from '../links/create-link.ts';
import { readIdempotencyKey } from '../links/idempotency.ts';
import { secondsToNextMonth } from '../links/quota.ts';
import { assertValidToken, type Caller } from '../plugins/caller.ts';

/** A body can have thousands of unknown fields. */
const MAX_ISSUES = 20;

/** Compiled, because every request uses it. */
const readRequest = z.compile(shortenRequestSchema);

/**
 * `POST /api/shorten`. Checks in the documented order: rate limit, 401, 415, 413, 400, 422, quota, 409.
 *
 * @see docs/api.md, "Errors"
 */
export async function shortenRoute(app: FastifyInstance, { service }: { service: Service }) {
  const shorten = createShortener(service);

  app.post('/shorten', {
    config: { rateLimit: {} },
    // Runs before the body is read and after the rate limit has counted the request.
    preParsing: (request, _reply, _payload, done) => {
      assertValidToken(request.caller);
      if (request.caller.kind === 'anonymous' && !service.settings.anonymous) {
        throw new ServiceError(
          'token_required',
          'This server requires an account. Send "Authorization: Bearer <token>".',
        );
      }
      assertJsonBody(request.headers);
      done();
    },
    errorHandler: async (error, request, reply) => {
      // Unset if the error came early.
      const caller: Caller | undefined = request.caller;
      if (caller?.kind === 'account') {
        const now = service.clock();
        const { month } = await service.store.countLinks(caller.account.id, now);
        setQuotaHeaders(reply, service.settings, month, now);
      }
      // Handled by the app's error handler.
      throw error;
    },
    handler: async (request, reply): Promise<ShortenResponse> => {
      const { caller } = request;
      assertValidToken(caller);
      const { record, linksInMonth } = await shorten({
        request: parseBody(request.body),
        caller,
        idempotencyKey: readIdempotencyKey(
          request.headers['idempotency-key'],
          caller.kind === 'anonymous',
        ),
      });
      setQuotaHeaders(reply, service.settings, linksInMonth, service.clock());
      return { success: true, message: 'The short link is ready.', data: record };
    },
  });
}

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*(charset="?utf-?8"?[ \t]*)?)?$/i;

/** Requires uncompressed JSON in UTF-8. A compressed body would be reported as invalid JSON. */
function assertJsonBody(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers;
  const isJson = type === 'application/json' || JSON_TYPE.test(type);
  const isPlain = encoding === undefined || /^(identity)?$/i.test(encoding);
  if (isJson && isPlain) return;
  throw new ServiceError(
    'unsupported_media_type',
    'Send the body as JSON in UTF-8, not compressed, with the header "Content-Type: application/json".',
  );
}

function setQuotaHeaders(
  reply: FastifyReply,
  { monthlyQuota }: Settings,
  linksInMonth: number,
  now: number,
): void {
  if (monthlyQuota === Number.POSITIVE_INFINITY) return;
  reply.header('x-quota-limit', monthlyQuota);
  reply.header('x-quota-remaining', Math.max(0, monthlyQuota - linksInMonth));
  reply.header('x-quota-reset', secondsToNextMonth(now));
}

/** @throws ServiceError with up to 20 issues, and with their code if they all have the same one */
function parseBody(body: unknown): ParsedShortenRequest {
  const result = readRequest.safeParse(body, { error: describeTypeError });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(toIssues);
  const codes = new Set(result.error.issues.map(codeOf));
  const [code = 'invalid_request'] = codes.size === 1 ? codes : [];
  const listed = issues.slice(0, MAX_ISSUES);
  const more = issues.length - listed.length;
  const message = summary(listed) + (more > 0 ? ` ${more} more issues are not listed.` : '');
  throw new ServiceError(code, message, { issues: listed });
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
};

/** Messages for wrong types. All other messages are in the schema. */
function describeTypeError(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (!issue.path?.length) return 'The body must be a JSON object.';
  if (issue.input === undefined) return 'Is required.';
  return `Must be ${TYPES[issue.expected] ?? issue.expected}.`;
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: key,
      message: 'Unknown field. Check its name for typos.',
    }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  const code = issue.code === 'custom' ? issue.params?.errorCode : undefined;
  return code ?? 'invalid_request';
}

function summary(issues: Issue[]): string {
  return issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ');
}
