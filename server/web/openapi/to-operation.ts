import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { DeclaredEndpoint, Endpoint } from '../plugins/endpoint.ts';
import { errorResponses } from './error-responses.ts';

const RATE_HEADERS = {
  'RateLimit-Limit': 'Requests per minute.',
  'RateLimit-Remaining': 'Requests left in the current window.',
  'RateLimit-Reset': 'Seconds until the window ends.',
};

/** The entry of an endpoint in the API reference. */
export function toOperation(declared: DeclaredEndpoint): ZodOpenApiOperationObject {
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

function success({ endpoint, hasRateLimit }: DeclaredEndpoint) {
  const headers = { ...endpoint.responseHeaders, ...(hasRateLimit && RATE_HEADERS) };
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
