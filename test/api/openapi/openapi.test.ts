import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADMINISTRATORS_FIELDS, PLAIN_NAMES } from '../../../shared/links/plain-fields.ts';
import { newAccount } from '../../store/contract.ts';
import type { AtEnd } from '../../support/new-folder.ts';
import { ADMIN, callAsAdmin } from '../admin/as-admin.ts';
import { call, makeLink, startOnce, startService, type TestService } from '../support.ts';

type Operation = {
  responses: Record<string, { headers?: object; description: string }>;
  security: Record<string, unknown>[];
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; description?: string; schema: { type?: string } }[];
  requestBody?: {
    content: Record<string, { examples?: Record<string, { summary: string; value: unknown }> }>;
  };
};

/** A service and what it says about its endpoints, by name: `PATCH /api/links/{alias}`. */
async function startDescribed(more = {}, atEnd?: AtEnd) {
  const proxy = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
  const env = { ...ADMIN.env, ...proxy, ...more };
  const service = await startService({ env }, atEnd);
  const response = await call(service, 'GET /api/openapi.json');
  const document = response.json();
  const { openapi, paths } = document;
  const operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  return { service, document, openapi, operations };
}

const described = startOnce((atEnd) => startDescribed({}, atEnd));

type Schema = {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  anyOf?: Schema[];
  enum?: unknown[];
  type?: string | string[];
};
type Described = {
  paths: Record<
    string,
    Record<string, { responses: object; requestBody?: object; parameters?: object[] }>
  >;
  components: { schemas: Record<string, Schema> };
};

const isForAdministrators = ({ security }: Operation) =>
  security.some((way) => 'adminToken' in way);

/** An account for an example, and the one that the example names. */
async function createAccounts(service: TestService, example: unknown) {
  const { to } = example as { to?: string };
  if (to) await service.store.addAccount({ ...newAccount(), id: to });
  return (await callAsAdmin(service, 'POST /api/admin/accounts', { name: 'Example' })).json();
}

/** An example with a code that exists, if it has one. */
async function withCode(service: TestService, example: unknown, token: string) {
  if (!Object.hasOwn(Object(example), 'code')) return example;
  const made = await call(service, 'POST /api/account/sign-in-codes', { token });
  return { ...Object(example), code: made.json().data.url.split('=')[1] };
}

const examplesOf = ({ requestBody }: Operation) =>
  Object.values(requestBody?.content['application/json']?.examples ?? {});

describe('GET /api/openapi.json', () => {
  test('is an OpenAPI 3.1 description of the endpoints', async () => {
    const { openapi, operations } = described();
    expect(openapi).toBe('3.1.0');
    expect(operations.map(([name]) => name)).toEqual(
      expect.arrayContaining(['POST /api/shorten', 'PATCH /api/links/{alias}']),
    );
  });

  test('has a part for assistants: few operations, with short descriptions', async () => {
    const { service, operations } = described();
    const response = await call(service, 'GET /api/openapi.json?for=assistants');
    const { paths } = response.json();
    const part = Object.values<Record<string, Operation & { description: string }>>(paths).flatMap(
      (methods) => Object.values(methods),
    );
    expect(part.length).toBeLessThanOrEqual(30);
    for (const { operationId, description } of part) {
      expect(description.length, operationId).toBeLessThanOrEqual(300);
    }
    const ids = part.map(({ operationId }) => operationId);
    expect(ids).toEqual(expect.arrayContaining(['createLink', 'editLink', 'getStatistics']));
    expect(operations.map(([, { operationId }]) => operationId)).toEqual(
      expect.arrayContaining(ids),
    );
    const other = await call(service, 'GET /api/openapi.json?for=people');
    expect(other.json().issues).toMatchObject([{ path: 'for' }]);
  });

  test('gives every operation an ID of its own, of which generated clients make a method', async () => {
    const ids = described().operations.map(([, { operationId }]) => operationId);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says what a token is needed for, where a quota counts, and that the store may be away', async () => {
    const named = async (more = {}) => Object.fromEntries((await startDescribed(more)).operations);
    const operations = await named();
    expect(operations['GET /api/domains']?.security).toEqual([{}, { token: [] }]);
    expect((await named({ ANONYMOUS: 'off' }))['GET /api/domains']?.security).toEqual([
      { token: [] },
    ]);
    const hasQuota = (name: string) =>
      'X-Quota-Limit' in (operations[name]?.responses['200']?.headers ?? {});
    const limited = ['shorten', 'links/batch', 'links/import'].map((path) => `POST /api/${path}`);
    expect(limited.map(hasQuota)).toEqual([true, true, false]);
    expect(operations['GET /api/links']?.responses['503']?.description).toContain('store_unavail');
  });

  test('describes the limit of every list as a number', async () => {
    const { operations } = described();
    const limits = operations.flatMap(([, { parameters = [] }]) =>
      parameters.filter(({ name }) => name === 'limit').map(({ schema }) => schema),
    );
    expect(limits.length).toBeGreaterThan(3);
    for (const limit of limits) {
      expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
    }
  });

  test('has patterns that mean the same with and without the Unicode flag', async () => {
    const patterns = new Set<string>();
    JSON.stringify(described().document, (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(3);
    const texts = Array.from({ length: 0x2100 }, (_, code) => String.fromCodePoint(code));
    texts.push('text', 'line\nbreak', 'smile 😀', '2026-01-31T12:00:00Z', 'GTM-ABC1234');
    for (const pattern of patterns) {
      const matches = (flag: string) =>
        texts.filter((text) => new RegExp(pattern, flag).test(text));
      expect(matches(''), pattern).toEqual(matches('u'));
    }
  });

  /** All schemas of responses, or of requests, with the schemas that they refer to. */
  const schemasOf = (document: Described, part: 'responses' | 'requests') => {
    const seen = new Set<Schema>();
    const add = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      const { $ref } = value as { $ref?: string };
      if ($ref !== undefined) add(document.components.schemas[$ref.split('/').at(-1) ?? '']);
      for (const each of Object.values(value)) add(each);
    };
    for (const operation of Object.values(document.paths).flatMap(Object.values)) {
      const { responses, requestBody, parameters } = operation;
      add(part === 'responses' ? responses : { requestBody, parameters });
    }
    return [...seen];
  };

  test('leaves responses open to further fields and values, and requests closed', async () => {
    const { document } = described();
    const responses = schemasOf(document, 'responses');
    const objects = responses.filter(({ properties }) => properties);
    expect(objects.length).toBeGreaterThan(100);
    const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false;
    expect(objects.filter(isClosed)).toEqual([]);
    const isOpenToOthers = (values: Schema) =>
      responses.some(({ anyOf }) => {
        return anyOf?.length === 2 && anyOf[0] === values && anyOf[1]?.enum === undefined;
      });
    const choices = responses.filter((schema) => schema.enum);
    expect(choices.length).toBeGreaterThan(50);
    expect(choices.filter((schema) => !isOpenToOthers(schema))).toEqual([]);

    const bodies = schemasOf(document, 'requests').filter(({ properties }) => properties);
    expect(bodies.length).toBeGreaterThan(10);
    expect(bodies.filter((schema) => !isClosed(schema))).toEqual([]);
  });

  test('says that links always have each field, without a default', async () => {
    const { document } = described();
    const { Link, CreatedLink, AdminLink } = document.components.schemas;
    expect(Link.required).toEqual(expect.arrayContaining(PLAIN_NAMES));
    expect(CreatedLink.required).toEqual(expect.arrayContaining(PLAIN_NAMES));
    expect(AdminLink.required).toEqual(expect.arrayContaining(ADMINISTRATORS_FIELDS));
    const fields = [Link, CreatedLink, AdminLink].flatMap((schema) =>
      Object.values<object>(schema.properties),
    );
    expect(fields.filter((field) => 'default' in field)).toEqual([]);
  });

  test('describes whole numbers as integers, without the bounds of JavaScript', async () => {
    const { document } = described();
    const text = JSON.stringify(document);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const fractions = new Set<string>();
    for (const { properties = {} } of schemasOf(document, 'responses')) {
      for (const [name, { type }] of Object.entries(properties)) {
        if ([type].flat().includes('number')) fractions.add(name);
      }
    }
    expect([...fractions]).toEqual(['waitTimer']);
    expect(text.split('"integer"').length).toBeGreaterThan(50);
  });

  test('has patterns that are no literals of JavaScript', async () => {
    expect(JSON.stringify(described().document)).not.toContain('\\\\/');
  });

  test('describes every parameter, and has examples of every JSON body', async () => {
    for (const [name, operation] of described().operations) {
      expect(operation.summary, name).toMatch(/^[A-Z]/);
      const parameters = operation.parameters ?? [];
      for (const parameter of parameters) {
        expect(parameter.description, `${name} ${parameter.name}`).toEqual(expect.any(String));
      }
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(
        name.match(/\{\w+\}/g) ?? [],
      );
      // Files can have other types, too.
      const types = Object.keys(operation.requestBody?.content ?? {}).join();
      if (types === 'application/json') expect(examplesOf(operation), name).not.toEqual([]);
    }
  });

  test('has only examples that the server accepts', async () => {
    const { service, operations } = described();
    const sent: string[] = [];
    for (const [name, operation] of operations) {
      for (const { summary, value } of examplesOf(operation)) {
        if (isForAdministrators(operation)) {
          const { data: account } = await createAccounts(service, value);
          // The first example adds this domain.
          const request = name.replace('{id}', account.id).replace('{host}', 'go.example');
          const response = await callAsAdmin(service, request, value);
          if (response.statusCode !== 200) throw new Error(`${name}: ${response.body}`);
          sent.push(summary);
          continue;
        }
        // An account and a link of its own, since some examples delete it.
        const { alias, authToken: token } = await makeLink(service);
        const request = name.replace('{alias}', alias);
        const headers = {
          host: 's.example',
          'x-forwarded-user': 'ada',
          'sec-fetch-site': 'same-origin',
        };
        const body = await withCode(service, value, token);
        const response = await call(service, request, { token, body, headers });
        if (response.statusCode !== 200) throw new Error(`${name}, ${summary}: ${response.body}`);
        sent.push(summary);
      }
    }
    expect(sent).toContain('Rename the link');
    expect(sent).toContain('Suspend');
  });
});

const DOCS = join(import.meta.dirname, '../../../docs');

// docs/moving-in.md has the endpoints of other services.
test.each(globSync('*.md', { cwd: DOCS, exclude: ['moving-in.md'] }))(
  'docs/%s names only endpoints that exist',
  async (page) => {
    const { operations } = described();
    const names = operations.map(([name]) => name.replace(/\{(\w+)\}/g, ':$1'));
    const text = await readFile(join(DOCS, page), 'utf8');
    const named = [...text.matchAll(/\b(GET|POST|PATCH|DELETE) (\/api\/[\w/:.-]+)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  },
);

describe('docs/api.md', async () => {
  const text = await readFile(join(DOCS, 'api.md'), 'utf8');

  test('has only examples that the server answers with a described response', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    const calls = [
      ...text.matchAll(
        /curl -s( -X (\w+))? http:\/\/localhost:2878(\S+)[^']*'[^']+'[^']*-d '([^']+)'/g,
      ),
    ];
    const statuses: number[] = [];
    for (const [, , method = 'POST', path, body] of calls) {
      statuses.push((await call(service, `${method} ${path}`, { token, body })).statusCode);
    }
    // A token, a link, its edit, an undone deletion of two, and a create of the same alias.
    expect(statuses).toEqual([200, 200, 200, 200, 409]);
  });
});

describe('every endpoint that requires a token', () => {
  test('answers 401 without one, or with an unknown one', async () => {
    const { service, operations } = described();
    for (const [name, { security, requestBody }] of operations) {
      const request = name.replace(/\{\w+\}/g, 'x');
      const body = requestBody && {};
      if (security.length === 0) {
        const query = request.endsWith('/ask') ? '?domain=s.example' : '';
        const { statusCode } = await call(service, request + query, { body });
        expect(statusCode, name).toBe(requestBody ? 400 : 200);
        continue;
      }
      if (security.some((way) => 'identity' in way)) {
        const headers = { 'sec-fetch-site': 'same-origin' };
        const unknown = await call(service, request, { body, headers });
        expect([unknown.statusCode, unknown.json().code]).toEqual([401, 'identity_required']);
        continue;
      }
      // Wrong tokens of administrators are limited.
      await service.clock.advance(60_000);
      const token = `curt_${'A'.repeat(43)}`;
      const unknown = await call(service, request, { token, body });
      expect([unknown.statusCode, unknown.json().code], name).toEqual([401, 'invalid_token']);
      if (security.some((way) => Object.keys(way).length === 0)) continue;
      const missing = await call(service, request, { body });
      expect([missing.statusCode, missing.json().code], name).toEqual([401, 'token_required']);
    }
  });
});
