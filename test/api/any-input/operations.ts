import type { FastifyInstance } from 'fastify';

type Schema = { $ref?: string; properties?: Record<string, unknown>; items?: Schema };
type Content = { schema?: Schema; examples?: Record<string, { value: unknown }> };
type Described = {
  parameters?: { in: 'path' | 'query' | 'header'; name: string; schema?: { enum?: string[] } }[];
  requestBody?: { content: Record<string, Content> };
};

/** Something that clients can call. */
export type Operation = {
  method: string;
  /** Such as `/api/links/{alias}`. */
  path: string;
  /** In the path, with the values that they can have, if these are few. */
  params: Record<string, string[]>;
  query: { name: string; values: string[] }[];
  headers: string[];
  /** Media types of the body. */
  types: string[];
  /** JSON bodies that the server accepts. */
  examples: unknown[];
  /** All fields of the JSON body. */
  fields: string[];
};

/** Everything with a parameter or a body that the API reference describes, and the routes for visitors. */
export async function listOperations(app: FastifyInstance): Promise<Operation[]> {
  const all = [...(await operationsOfApi(app)), ...listVisits(app)];
  return all.filter(
    ({ path, query, headers, types }) =>
      /\{/.test(path) || query.length + headers.length + types.length > 0,
  );
}

export async function operationsOfApi(app: FastifyInstance): Promise<Operation[]> {
  const document = (await app.inject('/api/openapi.json')).json();
  const resolve = (schema: Schema = {}): Schema =>
    schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  const described = Object.entries<Record<string, Described>>(document.paths);
  return described.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]): Operation => {
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
      const { schema, examples = {} } = requestBody?.content['application/json'] ?? {};
      const body = resolve(schema);
      return {
        method: method.toUpperCase(),
        path,
        params: Object.fromEntries(
          named('path').map(({ name, schema }) => [name, schema?.enum ?? []]),
        ),
        query: named('query').map(({ name, schema }) => ({ name, values: schema?.enum ?? [] })),
        headers: named('header').map(({ name }) => name),
        types: Object.keys(requestBody?.content ?? {}),
        examples: Object.values(examples).map(({ value }) => value),
        fields: Object.keys((body.items ? resolve(body.items) : body).properties ?? {}),
      };
    }),
  );
}

/** A line of `printRoutes`: its depth, a part of the path, and the methods. */
const ROUTE = /^([│ ]*)[├└]── (\S+) \((.+)\)$/;

function listVisits(app: FastifyInstance): Operation[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = ROUTE.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = `${parents[depth - 1] ?? ''}${part}`;
      parents[depth] = path;
      if (path === '' || path.startsWith('/api')) return [];
      const isStatic = path !== '/' && !/[:*]/.test(path);
      return methods.split(', ').map((method) => ({
        method,
        path: path.replace(/:(\w+)/g, '{$1}').replace('*', '{rest}'),
        params: {},
        query: isStatic ? [] : ['lang', 't'].map((name) => ({ name, values: [] })),
        headers: isStatic ? [] : ['Referer', 'User-Agent', 'If-None-Match'],
        types: method === 'POST' ? ['application/x-www-form-urlencoded'] : [],
        examples: [],
        fields: method === 'POST' ? ['originalUrl', 'requestId', 'password'] : [],
      }));
    });
}
