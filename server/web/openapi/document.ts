import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { errorBodySchema } from '../../../shared/error-body.ts';
import { ERROR_CODES, type ErrorCode } from '../../../shared/errors.ts';
import { oneOf } from '../../../shared/schemas.ts';
import { VERSION } from '../../lib/shipped-files.ts';
import type { DeclaredEndpoint, Endpoint } from '../plugins/endpoint.ts';
import { ERROR_STATUS } from '../plugins/errors.ts';
import { ERROR_MEANINGS } from './error-meanings.ts';

const DESCRIPTION =
  'Short links. Requests and responses are JSON in UTF-8. `docs/api.md` in the repository has what a schema cannot say: the order of checks, limits, and how to retry safely.';

/**
 * Creates the OpenAPI 3.1 description of the endpoints.
 *
 * @param baseUrl origin of the server
 */
export function createOpenApi(endpoints: DeclaredEndpoint[], baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const declared of endpoints) {
    const path = declared.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [declared.method.toLowerCase()]: toOperation(declared) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Curt', version: VERSION, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    tags: ['Links', 'Statistics', 'Account', 'Server', 'Administration'].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of an account. Also accepted as `X-API-Key`.',
        },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The setting `ADMIN_TOKEN`, or the token of a session of somebody in `ADMIN_IDENTITIES`.',
        },
        identity: {
          type: 'apiKey',
          in: 'header',
          name: 'IDENTITY_HEADER',
          description:
            'Single sign-on: the header that the setting `IDENTITY_HEADER` names, from a proxy in `TRUST_PROXY`.',
        },
      },
    },
  };
  return createDocument(document, { override: openSchema });
}

const RATE_HEADERS = {
  'RateLimit-Limit': 'Requests per minute.',
  'RateLimit-Remaining': 'Requests left in the current window.',
  'RateLimit-Reset': 'Seconds until the window ends.',
};

/** The entry of an endpoint in the API reference. */
function toOperation(declared: DeclaredEndpoint): ZodOpenApiOperationObject {
  const { endpoint } = declared;
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, accessText(endpoint)].filter(Boolean).join('\n\n'),
    security: securityOf(declared),
    requestParams: {
      ...(endpoint.params && { path: endpoint.params }),
      ...(endpoint.query && { query: endpoint.query }),
      ...(endpoint.headers && { header: endpoint.headers }),
    },
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: endpoint.body,
            ...(endpoint.examples && { examples: toExamples(endpoint.examples) }),
          },
        },
      },
    }),
    ...(endpoint.otherBody && {
      requestBody: { required: true, ...binary(endpoint.otherBody) },
    }),
    responses: { 200: success(declared), ...errorResponses(declared) },
  };
}

function success({ endpoint }: DeclaredEndpoint) {
  const headers = { ...endpoint.responseHeaders, ...(endpoint.isRateLimited && RATE_HEADERS) };
  return {
    description: 'Success',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' as const } },
      ]),
    ),
    ...(endpoint.otherResponse && { description: endpoint.otherResponse.description }),
    content: {
      ...(endpoint.response && { 'application/json': { schema: endpoint.response } }),
      ...(endpoint.otherResponse && binary(endpoint.otherResponse).content),
    },
  };
}

function binary({ types, description }: { types: string[]; description: string }) {
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  return { description, content };
}

function toExamples(examples: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value], index) => [
      `example${index + 1}`,
      { summary, value },
    ]),
  );
}

function securityOf({ endpoint: { access }, isTokenOptional }: DeclaredEndpoint) {
  if (access === 'public') return [];
  if (access === 'admin') return [{ adminToken: [] }];
  if (access === 'identity') return [{ identity: [] }];
  return isTokenOptional ? [{}, { token: [] }] : [{ token: [] }];
}

function accessText({ access }: Endpoint): string {
  switch (access) {
    case 'public':
      return '';
    case 'admin':
      return "The administrator's token.";
    case 'identity':
      return 'Only from pages of this server: `Sec-Fetch-Site: same-origin`, or its origin as `Origin`.';
    case 'any_token':
      return 'Any token of the account.';
    case 'all':
      return 'Scope of the token: `all`.';
    default:
      return `Scope of the token: \`all\` or \`${access}\`.`;
  }
}

/** The errors that any request can get before its endpoint is known. */
const PROTOCOL_ERRORS: ErrorCode[] = ['invalid_request', 'expectation_failed', 'internal'];

/** The errors of an endpoint by status, each with the codes that it can have. */
function errorResponses(declared: DeclaredEndpoint): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  const codes = errorCodes(declared);
  for (const status of new Set(codes.map((code) => ERROR_STATUS[code]))) {
    const ofStatus = codes.filter((code) => ERROR_STATUS[code] === status);
    responses[`${status}` as '400'] = errorResponse(ofStatus, listOf(ofStatus));
  }
  responses.default = errorResponse(PROTOCOL_ERRORS, 'Any other error');
  return responses;
}

function errorCodes({ endpoint, method }: DeclaredEndpoint): ErrorCode[] {
  // Every query is checked.
  const codes = new Set<ErrorCode>(endpoint.errors).add('invalid_request');
  const { access } = endpoint;
  if (access === 'identity') codes.add('cross_site').add('identity_required').add('not_found');
  else if (access !== 'public') codes.add('invalid_token').add('token_required');
  if (access === 'admin') codes.add('rate_limited');
  else if (access !== 'public') codes.add('account_suspended');
  if (!['public', 'admin', 'identity', 'any_token'].includes(access)) {
    codes.add('insufficient_scope');
  }
  if (endpoint.params) codes.add('not_found');
  const headers = endpoint.headers?.shape ?? {};
  if ('If-Match' in headers) codes.add('version_mismatch');
  if ('Idempotency-Key' in headers) codes.add('idempotency_mismatch');
  if ('domain' in fieldsOf(endpoint) && access !== 'public') codes.add('invalid_domain');
  // Every token is looked up.
  if (method !== 'GET' || access !== 'public') codes.add('store_unavailable');
  if (method !== 'GET') {
    codes.add('cross_site').add('rate_limited');
    // Also if the endpoint expects no body.
    codes.add('invalid_json');
    codes.add('body_too_large').add('unsupported_media_type');
  }
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** The fields by which a request can name something. */
function fieldsOf({ query, body }: Endpoint): Record<string, unknown> {
  return { ...(body instanceof z.ZodObject && body.shape), ...query?.shape };
}

function errorResponse(codes: ErrorCode[], description: string) {
  // A part of the body, which has more fields.
  const ofCodes = z.object({ code: oneOf(codes) }).meta({
    override: ({ jsonSchema }) => {
      delete jsonSchema.type;
      delete jsonSchema.required;
    },
  });
  const schema = z.intersection(errorBodySchema, ofCodes);
  return { description, content: { 'application/json': { schema } } };
}

function listOf(codes: ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}.`).join('\n\n');
}

type Override = NonNullable<CreateDocumentOptions['override']>;
type JsonSchema = Parameters<Override>[0]['jsonSchema'];

/**
 * Of responses, a client must accept what a later version adds: further fields, and further values where
 * there are several. Requests stay closed, since the server rejects what it does not know.
 *
 * Schemas are written as generators of clients read them: integers without the bounds of JavaScript's, and
 * patterns that are no literals of JavaScript.
 */
const openSchema: Override = ({ jsonSchema, io }) => {
  const { minimum, maximum, pattern } = jsonSchema;
  if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (pattern !== undefined) jsonSchema.pattern = pattern.replaceAll('\\/', '/');
  if (jsonSchema.type === 'number' && Number.isInteger(jsonSchema.const)) {
    jsonSchema.type = 'integer';
  }
  if (io === 'input') return;
  // Only clients need it, for a server that does not have the field yet.
  delete jsonSchema.default;
  if (jsonSchema.properties) delete jsonSchema.additionalProperties;
  if (jsonSchema.enum) {
    Object.assign(jsonSchema, oneOfOrOther(jsonSchema.enum));
    delete jsonSchema.enum;
    delete jsonSchema.type;
  }
};

/** One of these texts, or one of a later version. */
function oneOfOrOther(values: NonNullable<JsonSchema['enum']>) {
  return { anyOf: [{ type: 'string' as const, enum: values }, { type: 'string' as const }] };
}
