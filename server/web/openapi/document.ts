import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { errorBodySchema } from '../../../shared/errors.ts';
import { VERSION } from '../../lib/version.ts';
import type { DeclaredEndpoint } from '../plugins/endpoint.ts';
import { openSchema } from './open-schema.ts';
import { toOperation } from './to-operation.ts';

const DESCRIPTION =
  'Short links. Requests and responses are JSON in UTF-8. `docs/api.md` in the repository has what a schema cannot say: the order of checks, limits, and how to retry safely.';

/**
 * The OpenAPI 3.1 description of the endpoints.
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
      schemas: { Error: errorBodySchema },
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
