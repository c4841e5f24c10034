import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERROR_CODES, type ErrorCode } from '../../../shared/errors.ts';
import type { DeclaredEndpoint } from '../plugins/endpoint.ts';
import { ERROR_STATUS } from '../plugins/errors.ts';
import { oneOfOrOther } from './open-schema.ts';

/** The errors that any request can get before its endpoint is known. */
const PROTOCOL_ERRORS: ErrorCode[] = ['invalid_request', 'expectation_failed', 'internal'];

/** The errors of an endpoint by status, each with the codes that it can have. */
export function errorResponses(declared: DeclaredEndpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  const codes = errorCodes(declared);
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status);
    responses[`${status}` as '400'] = errorResponse(ofStatus, listOf(ofStatus));
  }
  responses.default = errorResponse(PROTOCOL_ERRORS, 'Any other error');
  return responses;
}

function errorCodes({ endpoint, method, hasRateLimit }: DeclaredEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors);
  const { access } = endpoint;
  if (access === 'identity') codes.add('cross_site').add('identity_required');
  else if (access !== 'public') codes.add('invalid_token').add('token_required');
  if (access === 'admin') codes.add('rate_limited');
  else if (access !== 'public') codes.add('account_suspended');
  if (!['public', 'admin', 'identity', 'any_token'].includes(access)) {
    codes.add('insufficient_scope');
  }
  if (endpoint.query || endpoint.headers) codes.add('invalid_request');
  if (hasRateLimit || method !== 'GET') codes.add('rate_limited');
  // Every token is looked up.
  if (method !== 'GET' || access !== 'public') codes.add('store_unavailable');
  if (method !== 'GET') {
    codes.add('cross_site');
    // Also if the endpoint expects no body.
    codes.add('invalid_json').add('invalid_request');
    codes.add('body_too_large').add('unsupported_media_type');
  }
  return ERROR_CODES.filter((code) => codes.has(code));
}

function errorResponse(codes: ErrorCode[], description: string) {
  const ofCodes = { properties: { code: oneOfOrOther(codes) } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, ofCodes] };
  return { description, content: { 'application/json': { schema } } };
}

function listOf(codes: ErrorCode[]): string {
  return codes.map((code) => `\`${code}\``).join(', ');
}
