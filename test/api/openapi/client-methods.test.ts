import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import {
  type AdminClient,
  administer,
  createAdminClient,
} from '../../../shared/client/admin-methods.ts';
import { type Client, createClient } from '../../../shared/client.ts';
import { ADMIN } from '../admin/as-admin.ts';
import { startService } from '../support.ts';

type Parameter = { name: string; in: string };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, unknown> };
};
type Calls<C> = {
  [Name in keyof C]: C[Name] extends (...given: infer All) => unknown ? All : never;
};

const token = 'curt_token';
const link = { alias: 'go.example/sale', token, ifMatch: '"1"' };
const period = { from: '2026-01-01', to: '2026-01-31', unit: 'day', timeZone: 'UTC' } as const;
const page = { limit: 10, cursor: 'next' };

/** Each method with all that it can send. A method without a line here does not compile. */
const CALLS: Calls<Client> = {
  getHealth: [],
  createLink: [{ originalUrl: 'https://example.com/' }, { token, idempotencyKey: 'k'.repeat(16) }],
  createLinks: [[{ originalUrl: 'https://example.com/' }], { token, idempotencyKey: 'a key' }],
  listLinks: [token, { ...page, q: 'a', domain: 'go.example', include: 'visits30' }],
  listTags: [token],
  changeLinks: [token, { isActive: false }, { cursor: 'next', tag: 'old' }],
  getLink: [link],
  editLink: [link, { title: 'Sale' }],
  deleteLink: [link, { purge: true }],
  restoreLink: [link],
  removeAlias: [link, 'old'],
  exportLinks: [token, { format: 'csv', secrets: true }],
  importLinks: [
    token,
    { file: 'originalUrl\n', from: 'csv', mapping: { originalUrl: 'originalUrl' }, dryRun: true },
  ],
  getImport: [token],
  stopImport: [token],
  getLinkStatistics: [token, link.alias, period],
  getStatistics: [token, period],
  listDomains: [token],
  getAccount: [token],
  editAccount: [token, { domain: null }],
  deleteAccount: [token],
  listTokens: [token],
  createToken: [token, { name: 'CI', scope: 'all' }],
  revokeToken: [token, 'id', true],
  proveIdentity: [{ keyId: '0'.repeat(16), nonce: 'n'.repeat(43) }],
  getIdentity: [],
  signIn: ['Laptop'],
};

const ADMIN_CALLS: Calls<AdminClient> = {
  listAccounts: [{ ...page, q: 'ann' }],
  createAccount: [{ name: 'Ann' }],
  getAccount: ['id'],
  editAccount: ['id', { name: 'Ann' }],
  listTokens: ['id'],
  createToken: ['id', { name: 'CI', scope: 'all' }],
  revokeToken: ['id', 'token-id'],
  reassignLinks: ['id', 'other'],
  exportLinks: ['id', { format: 'csv', secrets: true }],
  listLinks: [{ ...page, host: 'example.com' }],
  countLinks: [{ host: 'example.com' }],
  listBlocks: [],
  addBlock: [{ kind: 'host', value: 'evil.example', reason: 'Phishing' }],
  removeBlock: ['host', 'evil.example'],
  listReports: [page],
  dismissReports: [link.alias],
  listDomains: [],
  addDomain: [{ host: 'go.example' }],
  editDomain: ['go.example', { rootUrl: null }],
  removeDomain: ['go.example', { links: 'move' }],
  getOverview: [],
  getSystem: [],
  listAuditEntries: [page],
};

/** Operations without a method, and why. */
const WITHOUT_METHOD = {
  getReadiness: 'for monitoring',
  askDomain: 'for a proxy that obtains certificates',
  getOpenApi: 'for generators of clients',
  getApiReference: 'for browsers',
  deleteLinks: '`changeLinks` with `isDeleted` does the same',
};

/** What a client that answers nothing has sent. */
type Sent = { method: string; url: URL; headers: Headers; body: unknown };

async function sendAll(): Promise<[operationId: string, sent: Sent][]> {
  const all: [string, Sent][] = [];
  let name = '';
  const options = {
    baseUrl: 'https://s.example',
    token,
    fetch: async (
      input: URL | RequestInfo,
      { method = 'GET', headers, body }: RequestInit = {},
    ) => {
      all.push([
        name,
        { method, url: new URL(String(input)), headers: new Headers(headers), body },
      ]);
      return new Response('{}');
    },
  };
  const send = async (
    client: object,
    calls: Record<string, unknown[]>,
    toName: (method: string) => string,
  ) => {
    for (const [method, given] of Object.entries(calls)) {
      name = toName(method);
      await (client as Record<string, (...given: unknown[]) => unknown>)[method]?.(...given);
    }
  };
  await send(createClient(options), CALLS, (method) => method);
  await send({ administer: () => administer(options) }, { administer: [] }, (method) => method);
  await send(
    createAdminClient(options),
    ADMIN_CALLS,
    (method) => `admin${method[0]?.toUpperCase()}${method.slice(1)}`,
  );
  return all;
}

async function readDescription() {
  const proxy = { IDENTITY_HEADER: 'X-Forwarded-User', TRUST_PROXY: '127.0.0.1' };
  const { app } = await startService({ env: { ...ADMIN.env, ...proxy } });
  const document = (await app.inject('/api/openapi.json')).json();
  const operations = new Map<string, { method: string; path: string; operation: Operation }>();
  for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(operation.operationId, { method: method.toUpperCase(), path, operation });
    }
  }
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  return { operations, ajv };
}

test('every operation has a method of its name in the client, and every method an operation', async () => {
  const { operations } = await readDescription();
  const methods = (await sendAll()).map(([operationId]) => operationId);
  expect([...methods, ...Object.keys(WITHOUT_METHOD)].sort()).toEqual(
    [...operations.keys()].sort(),
  );
});

test('every method of the client sends what its operation describes', async () => {
  const { operations, ajv } = await readDescription();
  for (const [operationId, { method, url, headers, body }] of await sendAll()) {
    const described = operations.get(operationId);
    if (!described) throw new Error(`there is no operation ${operationId}`);
    const { path, operation } = described;
    expect(method, operationId).toBe(described.method);
    expect(url.pathname, operationId).toMatch(new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
    const namesIn = (place: string) =>
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === place)
        .map(({ name }) => name.toLowerCase());
    const query = [...url.searchParams.keys()].map((name) => name.toLowerCase());
    expect(
      query.filter((name) => !namesIn('query').includes(name)),
      operationId,
    ).toEqual([]);
    const sent = [...headers.keys()].filter(
      (name) => !['authorization', 'content-type'].includes(name),
    );
    // Each of them, too: a spread that drops one would make the call unconditional.
    expect(sent.sort(), operationId).toEqual(namesIn('header').sort());
    const types = Object.keys(operation.requestBody?.content ?? {});
    const type = headers.get('content-type');
    expect(type === null ? [] : types, operationId).toEqual(
      type === null ? types : expect.arrayContaining([type]),
    );
    if (type !== 'application/json') continue;
    const pointer = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type]
      .map((segment) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.getSchema(`api#/${pointer}/schema`);
    expect(validate?.(JSON.parse(String(body))), `${operationId}: ${body}`).toBe(true);
  }
});
