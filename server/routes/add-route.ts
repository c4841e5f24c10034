import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseInput, parseQuery } from '../lib/parse-input.ts';
import type { Authorization } from '../store/account.ts';
import type { Endpoint } from '../web/plugins/endpoint.ts';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type OutputOf<E, Name extends string> = E extends Record<Name, infer S> ? Output<S> : undefined;

/** What the schemas of an endpoint make of a request, and on whose behalf it is. Parameters are as they are. */
type Call<E extends Endpoint> = {
  params: E extends { params: infer Schema } ? z.input<Schema> : undefined;
  query: OutputOf<E, 'query'>;
  body: OutputOf<E, 'body'>;
  by: Authorization;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Adds a route of the API whose handler gets what its schemas have parsed, and returns the response. */
export function addRoute<const E extends Endpoint & { response: z.ZodType }>(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  endpoint: E,
  handle: (call: Call<NoInfer<E>>) => Promise<E['response']['_zod']['output']>,
): void {
  const { query, body } = endpoint;
  app.route({
    method,
    url,
    config: { endpoint },
    handler: async (request, reply) => {
      const call = {
        params: request.params,
        query: query && parseQuery(query, request.query),
        body: body && parseInput(body, request.body),
      };
      return handle({ ...(call as Call<E>), by: request.authorization, request, reply });
    },
  });
}
