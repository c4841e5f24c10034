import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../../server/app.ts';
import { readSettings } from '../../../server/config.ts';
import { openStore } from '../../../server/store/tools/open.ts';

type Response = { content?: Record<string, { schema: object }> };
type Operation = { responses: Record<string, Response> };
type Document = { paths: Record<string, Record<string, Operation>>; components: object };

const ERROR = '#/components/schemas/Error';

/** What the API reference depends on. */
const SETTINGS = ['ANONYMOUS', 'ADMIN_TOKEN', 'ADMIN_IDENTITIES', 'IDENTITY_HEADER', 'TRUST_PROXY'];

/** By these settings: making one takes longer than starting a server. */
const checkers = new Map<string, Promise<ResponseChecker>>();

/** A domain that some tests add. */
const OTHER_HOST = 'go.example';

/**
 * Makes `app.inject` fail if an answer of the API is not as the API reference describes it.
 *
 * @param env the server's settings
 */
export async function checkResponses(
  app: FastifyInstance,
  env: Record<string, string>,
): Promise<void> {
  const inject = app.inject.bind(app) as (
    options: InjectOptions,
  ) => Promise<LightMyRequestResponse>;
  const described = Object.entries(env).filter(([name]) => SETTINGS.includes(name));
  const settings = JSON.stringify(described);
  const creation = checkers.get(settings) ?? createChecker(Object.fromEntries(described));
  checkers.set(settings, creation);
  // A failure is not remembered.
  creation.catch(() => checkers.delete(settings));
  const checker = await creation;
  app.inject = (async (request: InjectOptions | string) => {
    const options = typeof request === 'string' ? { url: request } : request;
    const response = await inject(options);
    const path = (String(options.url).split('?')[0] as string).replace(/\/{2,}/g, '/');
    // Other domains have no API.
    const isOfBaseUrl = options.headers?.host !== OTHER_HOST;
    if (/^\/api(\/|$)/.test(path) && isOfBaseUrl) {
      checker.check(options.method ?? 'GET', path, response);
    }
    return response;
  }) as typeof app.inject;
}

/** Asks a server of its own, since the one under test may count requests. */
async function createChecker(env: Record<string, string>): Promise<ResponseChecker> {
  const folder = await mkdtemp(join(tmpdir(), 'curt-reference-'));
  const store = await openStore(`file:${folder}`, { onError: rethrow });
  const app = await buildApp({
    settings: readSettings({ BASE_URL: 'https://s.example', ...env }),
    store,
    logStream: { write: () => {} },
  });
  try {
    return new ResponseChecker((await app.inject('/api/openapi.json')).json());
  } finally {
    await app.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

function rethrow(error: unknown): never {
  throw error;
}

class ResponseChecker {
  readonly #document: Document;
  readonly #ajv: Ajv2020;
  readonly #paths: [pattern: RegExp, path: string][];

  constructor(document: Document) {
    this.#document = closed(document) as Document;
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false });
    formats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, 'api');
    this.#paths = Object.keys(document.paths)
      // Paths without parameters come first.
      .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
      .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`), path]);
  }

  check(method: string, path: string, response: LightMyRequestResponse): void {
    if (method === 'OPTIONS') return;
    const what = `${method} ${path}: ${response.statusCode}`;
    const schema = this.#schemaOf(method === 'HEAD' ? 'GET' : method, path, response);
    if (schema === undefined || method === 'HEAD') return;
    const type = response.headers['content-type'];
    if (type !== 'application/json; charset=utf-8') throw new Error(`${what} is ${type}`);
    const validate = this.#ajv.getSchema(`api${schema}`) as ValidateFunction;
    if (!validate(response.json())) {
      const errors = this.#ajv.errorsText(validate.errors);
      throw new Error(`${what} is not as described: ${errors}\n${response.body}`);
    }
  }

  /** @returns a reference to the schema of the body; undefined if it is not JSON */
  #schemaOf(method: string, path: string, { statusCode, headers }: LightMyRequestResponse) {
    const candidates = this.#paths.filter(([pattern]) => pattern.test(path)).map(([, key]) => key);
    const key = candidates.find((name) => this.#document.paths[name]?.[method.toLowerCase()]);
    const operation = key && this.#document.paths[key]?.[method.toLowerCase()];
    if (key === undefined || !operation) {
      if (![400, 403, 404, 405, 413, 415, 417].includes(statusCode)) {
        throw new Error(`${method} ${path} is not described, but answers ${statusCode}`);
      }
      return ERROR;
    }
    const status = operation.responses[statusCode] ? String(statusCode) : 'default';
    const content = operation.responses[status]?.content ?? {};
    const type = 'application/json';
    const [given = ''] = String(headers['content-type']).split(';');
    if (!content[type] || (given !== type && content[given])) return undefined;
    const pointer = ['paths', key, method.toLowerCase(), 'responses', status, 'content', type];
    return `#/${pointer.map(escapePointer).join('/')}/schema`;
  }
}

/**
 * The description as it is today: without the fields and values that a later version may add, so that none
 * is sent that it does not have.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...others } = schema as { anyOf?: { enum?: string[]; type?: string }[] };
  const [known, other] = anyOf ?? [];
  const isOpen = anyOf?.length === 2 && known?.enum && other?.type === 'string' && !other.enum;
  const { type, properties, additionalProperties } = schema as Record<string, unknown>;
  const isOpenObject =
    type === 'object' && properties !== undefined && additionalProperties === undefined;
  return {
    ...Object.fromEntries(
      Object.entries(isOpen ? { ...others, ...known } : schema).map(([name, value]) => [
        name,
        closed(value),
      ]),
    ),
    ...(isOpenObject && { additionalProperties: false }),
  };
}

function escapePointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
