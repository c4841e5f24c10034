import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { parseInput, parseQuery } from '../../lib/parse-input.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Authorization } from '../../store/account.ts';
import type { Endpoint } from '../../web/plugins/endpoint.ts';

/** What a resource declares of one of its endpoints; tag and access are those of the resource. */
type Declaration = Omit<Endpoint, 'tag' | 'operationId' | 'access'> & {
  access?: Endpoint['access'];
  /** Parses the body instead of `body`, which describes it. */
  parser?: Pick<z.ZodType, 'safeParse'>;
} & Pick<RouteOptions, 'bodyLimit' | 'errorHandler' | 'preParsing'>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Parsed<D, Name extends string> =
  D extends Record<Name, { safeParse: (input: unknown) => { data?: infer Data } }>
    ? Exclude<Data, undefined>
    : undefined;

/** What the schemas of an endpoint make of a request, and on whose behalf it is. */
type Call<D extends Declaration> = {
  params: Parsed<D, 'params'>;
  query: Parsed<D, 'query'>;
  body: Parsed<D, D extends { parser: unknown } ? 'parser' : 'body'>;
  by: Authorization;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The JSON of the response. What is not always JSON, handlers send themselves. */
type Answer<D extends Declaration> = D extends { otherResponse: object }
  ? FastifyReply
  : D extends { response: z.ZodType }
    ? z.output<D['response']>
    : never;

/**
 * Returns a function that adds an endpoint of the resource to the API: its name, which is its `operationId` and
 * the method of the client, its method and path, and what it is. Its handler gets what the schemas have parsed.
 *
 * @param access who may call it, unless it says otherwise
 */
export function addRoutes(app: FastifyInstance, tag: Endpoint['tag'], access: Endpoint['access']) {
  return function add<const D extends Declaration>(
    name: string,
    route: `${Method} /${string}`,
    declaration: D,
  ) {
    const { parser, bodyLimit, errorHandler, preParsing, ...described } =
      declaration as Declaration;
    const { params, query = NO_QUERY, body } = described;
    const bodyParser = parser ?? body;
    const [method, url] = route.split(' ') as [Method, string];
    const handle = (handler: (call: Call<D>) => Promise<Answer<D>>): void => {
      app.route({
        method,
        url,
        ...(bodyLimit && { bodyLimit }),
        ...(errorHandler && { errorHandler }),
        ...(preParsing && { preParsing }),
        config: { endpoint: { access, ...described, tag, operationId: name } },
        handler: async (request, reply) => {
          const call = {
            params: params && parseParams(params, request.params),
            query: parseQuery(query, request.query, body),
            body: bodyParser && parseInput(bodyParser, request.body),
          };
          return handler({ ...(call as Call<D>), by: request.authorization, request, reply });
        },
      });
    };
    return { handle };
  };
}

const NO_QUERY = z.strictObject({});

/** A parameter that nothing can have is an address with nothing: a handler may look up what is left. */
function parseParams(schema: z.ZodObject, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ServiceError('not_found', 'There is nothing at this address.');
}
