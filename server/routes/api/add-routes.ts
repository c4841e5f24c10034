import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { ADMIN_ENDPOINTS } from '../../../shared/api/admin-endpoints.ts';
import type { EndpointSchemas } from '../../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../../shared/api/endpoints.ts';
import { parseInput, parseQuery } from '../../lib/parse-input.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Authorization } from '../../store/account.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

const ALL = { ...ENDPOINTS, ...ADMIN_ENDPOINTS };
type All = typeof ALL;

/** What a resource says of one of its endpoints beside its schemas; tag and access are those of the resource. */
type Texts = Omit<
  Endpoint,
  'tag' | 'operationId' | 'access' | 'params' | 'query' | 'headers' | 'body' | 'response'
> & {
  access?: Endpoint['access'];
  /** Parses the body instead of the schema, which describes it. */
  parser?: Pick<z.ZodType, 'safeParse'>;
} & Pick<RouteOptions, 'bodyLimit' | 'errorHandler' | 'preParsing'>;

type Parsed<D, Name extends string> =
  D extends Record<Name, { safeParse: (input: unknown) => { data?: infer Data } }>
    ? Exclude<Data, undefined>
    : undefined;

/** What the schemas of an endpoint make of a request, and on whose behalf it is. */
type Call<E, T> = {
  params: Parsed<E, 'params'>;
  query: Parsed<E, 'query'>;
  body: T extends { parser: unknown } ? Parsed<T, 'parser'> : Parsed<E, 'body'>;
  by: Authorization;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The JSON of the response. What is not always JSON, handlers send themselves. */
type Answer<E> = E extends { answersFile: true }
  ? FastifyReply
  : E extends { answer: infer S extends z.ZodType }
    ? z.output<S>
    : FastifyReply;

type AddRoutes = {
  [Name in keyof All]: <const T extends Texts>(
    texts: T,
    handler: (call: Call<All[Name], T>) => Promise<Answer<All[Name]>>,
  ) => void;
};

/**
 * Returns the functions that add endpoints to the API, by their names: each takes its texts for the API reference,
 * and its handler, which gets what the schemas have parsed.
 *
 * @param access who may call them, unless one says otherwise
 */
export function addRoutes(
  app: FastifyInstance,
  tag: Endpoint['tag'],
  access: Endpoint['access'],
): AddRoutes {
  const adders = Object.entries<EndpointSchemas>(ALL).map(([name, schemas]) => [
    name,
    (texts: Texts, handler: (call: unknown) => Promise<unknown>) =>
      addRoute(app, schemas, { access, ...texts, tag, operationId: name }, handler),
  ]);
  return Object.fromEntries(adders);
}

function addRoute(
  app: FastifyInstance,
  { route, params, query, headers, body, answer }: EndpointSchemas,
  {
    parser,
    bodyLimit,
    errorHandler,
    preParsing,
    ...texts
  }: Texts & Pick<Endpoint, 'access' | 'tag' | 'operationId'>,
  handler: (call: unknown) => Promise<unknown>,
): void {
  const [method, url] = route.split(' ') as ['GET', string];
  const bodyParser = parser ?? body;
  const schemas = {
    ...(params && { params }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body && { body }),
    ...(answer && { response: answer }),
  };
  app.route({
    ...{ method, url },
    ...(bodyLimit && { bodyLimit }),
    ...(errorHandler && { errorHandler }),
    ...(preParsing && { preParsing }),
    config: { endpoint: { ...texts, ...schemas } },
    handler: async (request, reply) =>
      handler({
        params: params && parseParams(params, request.params),
        query: parseQuery(query ?? NO_QUERY, request.query, body),
        body: bodyParser && parseInput(bodyParser, request.body),
        by: request.authorization,
        request,
        reply,
      }),
  });
}

const NO_QUERY = z.strictObject({});

/** A parameter that nothing can have is an address with nothing: a handler may look up what is left. */
function parseParams(schema: z.ZodObject, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ServiceError('not_found', 'There is nothing at this address.');
}
