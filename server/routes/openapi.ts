import type { FastifyInstance } from 'fastify';
import type { ShortDomain } from '../lib/short-domain.ts';
import { createOpenApi } from '../web/openapi/document.ts';
import type { DeclaredEndpoint, Endpoint } from '../web/plugins/endpoint.ts';
import { sendPage } from '../web/views/send-page.ts';

const endpoint: Endpoint = {
  access: 'public',
  tag: 'Server',
  operationId: 'getOpenApi',
  summary: 'Describe the API in OpenAPI',
  otherResponse: { types: ['application/json'], description: 'This document, in OpenAPI 3.1' },
};

const reference: Endpoint = {
  access: 'public',
  tag: 'Server',
  operationId: 'getApiReference',
  summary: 'Show this reference as a page',
  otherResponse: { types: ['text/html'], description: 'This reference' },
};

/** `GET /api/docs`, and `GET /api/openapi.json`, which it shows. Made for the first request, since a server that is never asked needs none. */
export async function openApiRoute(
  app: FastifyInstance,
  { shortDomain, endpoints }: { shortDomain: () => ShortDomain; endpoints: DeclaredEndpoint[] },
) {
  // A buffer is the same for all responses that wait to be read.
  let text: Buffer | undefined;

  app.get('/openapi.json', { config: { endpoint } }, async (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(createOpenApi(endpoints, shortDomain().baseUrl)));
    return reply.type('application/json; charset=utf-8').send(text);
  });

  app.get('/docs', { config: { endpoint: reference } }, (_request, reply) =>
    sendPage(reply, 'api-reference', {}, { isReference: true }),
  );
}
