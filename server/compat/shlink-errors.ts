import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/errors.ts';
import type { ServiceError } from '../lib/service-error.ts';
import { ERROR_STATUS, toServiceError } from '../web/plugins/errors.ts';

/** An error that only this API has. Its other errors are those of use cases. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

type Problem = {
  status: number;
  /** The end of `type`, which clients compare. */
  code: string;
  title: string;
  detail: string;
  /** What the problem is about, by the names of this API. */
  [about: string]: unknown;
};

/** The API's names of the fields of requests. */
const FIELD_NAMES = new Map([
  ['originalUrl', 'longUrl'],
  ['customAlias', 'customSlug'],
  ['startsAt', 'validSince'],
  ['expiresAt', 'validUntil'],
  ['q', 'searchTerm'],
]);

/** The problems that clients know; all others have Curt's code and status. */
const PROBLEMS: { [code in ErrorCode]?: Pick<Problem, 'status' | 'code' | 'title'> } = {
  token_required: { status: 401, code: 'missing-authentication', title: 'Invalid authorization' },
  invalid_token: { status: 401, code: 'invalid-api-key', title: 'Invalid API key' },
  invalid_json: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  invalid_request: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  invalid_url: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  blocked_url: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  invalid_domain: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  expires_in_past: { status: 400, code: 'invalid-data', title: 'Invalid data' },
  alias_taken: { status: 400, code: 'non-unique-slug', title: 'Invalid custom slug' },
  not_found: { status: 404, code: 'not-found', title: 'Not found' },
  link_blocked: {
    status: 422,
    code: 'invalid-short-url-deletion',
    title: 'Cannot delete short URL',
  },
};

/** Sends an error as a problem (RFC 9457), with what clients read besides. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, ...problem }: Problem =
    error instanceof ProblemError
      ? error.problem
      : toProblem(toServiceError(error, request), reply);
  return reply
    .code(status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send(JSON.stringify({ type: `https://shlink.io/api/error/${code}`, status, ...problem }));
}

function toProblem({ code, message, details }: ServiceError, reply: FastifyReply): Problem {
  const { retryAfterSeconds, issues } = details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  const known = PROBLEMS[code] ?? {
    status: ERROR_STATUS[code],
    code: code.replaceAll('_', '-'),
    title: 'Error',
  };
  const detail = message.replace(/^\w+(?=: )/, (name) => FIELD_NAMES.get(name) ?? name);
  const invalidElements = issues?.map(({ path }) => FIELD_NAMES.get(path) ?? path);
  return {
    ...known,
    detail,
    ...(code === 'token_required' && { expectedHeaders: ['X-Api-Key'] }),
    ...(invalidElements && { invalidElements }),
  };
}

export function invalidData(name: string, detail: string): ProblemError {
  return new ProblemError({
    ...{ status: 400, code: 'invalid-data', title: 'Invalid data' },
    detail,
    invalidElements: [name],
  });
}

export function shortUrlNotFound(shortCode: string, domain: string | undefined): ProblemError {
  const where = domain === undefined ? '' : ` for domain "${domain}"`;
  return new ProblemError({
    ...{ status: 404, code: 'short-url-not-found', title: 'Short URL not found' },
    detail: `No URL found with short code "${shortCode}"${where}`,
    shortCode,
    ...(domain !== undefined && { domain }),
  });
}

export function tagNotFound(tag: string): ProblemError {
  return new ProblemError({
    ...{ status: 404, code: 'tag-not-found', title: 'Tag not found' },
    detail: `Tag with name "${tag}" could not be found`,
    tag,
  });
}

export function tagConflict(oldName: string, newName: string): ProblemError {
  return new ProblemError({
    ...{ status: 409, code: 'tag-conflict', title: 'Tag conflict' },
    detail: `You cannot rename tag ${oldName} to ${newName}, because it already exists`,
    oldName,
    newName,
  });
}

/** What the server does not have, with the place where its own is. */
export function notProvided(detail: string, code = 'not-provided'): ProblemError {
  const title = code === 'not-provided' ? 'Not provided' : 'Mercure integration not configured';
  return new ProblemError({ status: 501, code, title, detail });
}

export function noSingleVisits(baseUrl: string): ProblemError {
  return notProvided(
    `This server doesn't record individual visits. Statistics: ${baseUrl}/dashboard`,
  );
}
