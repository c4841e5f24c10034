import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { ADMIN_ENDPOINTS } from '../../../shared/api/admin-endpoints.ts';
import { createApiClient, type Input } from '../../../shared/api/client.ts';
import { ENDPOINTS } from '../../../shared/api/endpoints.ts';
import { linkAt } from '../../../shared/links/link-address.ts';
import { ADMIN } from '../admin/as-admin.ts';
import { startService } from '../support.ts';

type Parameter = { name: string; in: string };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, unknown> };
};

const ALL = { ...ENDPOINTS, ...ADMIN_ENDPOINTS };
type All = typeof ALL;

const link = linkAt('go.example/sale');
const ifMatch = '"1"';
const idempotencyKey = 'k'.repeat(16);
const period = { from: '2026-01-01', to: '2026-01-31', unit: 'day', timeZone: 'UTC' } as const;
const page = { limit: 10, cursor: 'next' };
const id = 'id';

/** Each method with what it can send. A method without a line here does not compile. */
const CALLS: { [Name in keyof All]: Input<All[Name]> } = {
  createLink: { body: { originalUrl: 'https://example.com/' }, idempotencyKey },
  createLinks: { body: [{ originalUrl: 'https://example.com/' }], idempotencyKey },
  listLinks: { ...page, q: 'a', domain: 'go.example', include: 'visits30' },
  changeLinks: { body: { isActive: false }, cursor: 'next', tag: 'old', dryRun: true },
  deleteLinks: { tag: 'old' },
  getLink: link,
  editLink: { ...link, ifMatch, body: { title: 'Sale' } },
  deleteLink: { ...link, ifMatch, purge: true },
  restoreLink: { ...link, ifMatch },
  removeAlias: { ...link, ifMatch, old: 'old' },
  listTags: {},
  listDomains: {},
  exportLinks: { format: 'csv', secrets: true },
  importLinks: {
    file: 'originalUrl\n',
    from: 'csv',
    mapping: JSON.stringify({ originalUrl: 'originalUrl' }),
    dryRun: true,
  },
  getImport: {},
  stopImport: {},
  getStatistics: { ...period, tag: 'old' },
  getLinkStatistics: { ...link, ...period },
  getAccount: {},
  editAccount: { body: { domain: null } },
  deleteAccount: { body: { confirm: 'delete' } },
  listTokens: {},
  createToken: { body: { name: 'CI', scope: 'all' } },
  revokeToken: { id, confirm: 'last' },
  createSignInCode: {},
  redeemSignInCode: { body: { code: 'MDEyMzQ1Njc4OWFiY2RlZg', name: 'Firefox' } },
  getIdentity: {},
  signIn: { body: { name: 'Laptop' } },
  proveIdentity: { body: { keyId: '0123456789abcdef', nonce: 'A'.repeat(43) } },
  getHealth: {},
  getReadiness: {},
  askDomain: { domain: 'go.example' },
  getOpenApi: { for: 'assistants' },
  getApiReference: {},
  administer: {},
  adminListAccounts: { ...page, q: 'ann' },
  adminCreateAccount: { body: { name: 'Ann' } },
  adminGetAccount: { id },
  adminEditAccount: { id, body: { name: 'Ann' } },
  adminListTokens: { id },
  adminCreateToken: { id, body: { name: 'CI', scope: 'all' } },
  adminRevokeToken: { id, tokenId: 'token-id' },
  adminReassignLinks: { id, body: { to: 'other' } },
  adminExportLinks: { id, format: 'csv', secrets: true },
  adminListLinks: { ...page, host: 'example.com' },
  adminCountLinks: { host: 'example.com' },
  adminListBlocks: {},
  adminAddBlock: { body: { kind: 'host', value: 'evil.example', reason: 'Phishing' } },
  adminRemoveBlock: { kind: 'host', value: 'evil.example' },
  adminListReports: page,
  adminDismissReports: link,
  adminListDomains: {},
  adminAddDomain: { body: { host: 'go.example' } },
  adminEditDomain: { host: 'go.example', body: { rootUrl: null } },
  adminRemoveDomain: { host: 'go.example', links: 'move', to: 'other.example' },
  adminListAuditEntries: page,
  adminGetOverview: {},
  adminGetSystem: {},
};

/** What a client that answers nothing has sent. */
type Sent = { method: string; url: URL; headers: Headers; body: unknown };

async function sendAll(): Promise<[operationId: string, sent: Sent][]> {
  const all: [string, Sent][] = [];
  let name = '';
  const client = createApiClient(ALL, {
    baseUrl: 'https://s.example',
    token: 'curt_token',
    fetch: async (
      input: URL | RequestInfo,
      { method = 'GET', headers, body }: RequestInit = {},
    ) => {
      const url = new URL(String(input));
      all.push([name, { method, url, headers: new Headers(headers), body }]);
      return new Response('{}');
    },
  }) as Record<string, (input: object) => unknown>;
  for (const [method, input] of Object.entries(CALLS)) {
    name = method;
    await client[method]?.(input);
  }
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

test('the server has a handler for every endpoint of the table', async () => {
  const { operations } = await readDescription();
  expect(Object.keys(ALL).sort()).toEqual([...operations.keys()].sort());
});

test('the compiler refuses a call with anything that its endpoint does not have', async () => {
  const fetch = async () => new Response('{}');
  const client = createApiClient(ALL, { baseUrl: 'https://s.example', fetch });
  const results = await Promise.all([
    // @ts-expect-error a parameter of the path is missing
    client.getLink({}),
    // @ts-expect-error an unknown parameter
    client.listLinks({ page: 2 }),
    // @ts-expect-error a field with a typo
    client.createLink({ body: { originalUrl: 'https://example.com/', expiresInDay: 1 } }),
    // @ts-expect-error a condition that the endpoint does not know
    client.getLink({ alias: 'sale', ifMatch }),
    // @ts-expect-error another answer
    client.listTags().then((tags) => (tags.ok ? tags.data.nextCursor : tags)),
  ]);
  for (const result of results) expect(result).toMatchObject({ ok: false, code: 'not_curt' });
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
