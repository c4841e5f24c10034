import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { startService, type TestService } from '../support.ts';
import { withTypeScript } from './with-typescript.ts';

/**
 * Clients that check requests and responses by the description, as two generators make them. They are made
 * once, and used by all tests.
 */
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curt-clients-'));
  return () => rm(folder, { recursive: true });
});

/** Packages are found beside the client. */
async function linkPackages(client: string, names: string[], from: string): Promise<string> {
  const path = join(folder, client);
  for (const name of names) {
    const link = join(path, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    const entry = createRequire(from).resolve(name);
    const root = entry.slice(0, entry.lastIndexOf(`/${name}/`) + name.length + 1);
    await symlink(root, link);
  }
  return path;
}

async function start(): Promise<{ service: TestService; document: string; baseUrl: string }> {
  const service = await startService();
  const document = (await service.app.inject('/api/openapi.json')).body;
  return { service, document, baseUrl: await service.app.listen({ port: 0, host: '127.0.0.1' }) };
}

type Data = { data: Record<string, unknown> & { alias: string; authToken: string } };
type Listed = { data: Data['data'][]; total?: { count: number } };
type Schema = z.ZodType<{ data: unknown }>;

/** What a later version may answer. */
const LATER = { status: 'archived', folder: 'Summer', card: { title: 'Card', video: 'v' } };
const LATER_ERROR = { success: false, message: 'No.', code: 'too_late', documentation: 'https://' };

describe('a client that @hey-api/openapi-ts generates, with validation by zod', () => {
  type Sent = { body?: object; path?: object; query?: object; headers?: Record<string, string> };
  type Answer<T> = { data?: T; error?: unknown; response?: Response };
  type Call<T> = (sent?: Sent) => Promise<Answer<T>>;
  type Client = {
    client: { setConfig: (config: { baseUrl: string; auth: () => string }) => void };
    createLink: Call<Data>;
    createLinks: Call<{ data: { status: number }[] }>;
    listLinks: Call<Listed>;
    getLink: Call<Data>;
    editLink: Call<Data>;
    deleteLink: Call<{ data: unknown }>;
    restoreLink: Call<Data>;
    getLinkStatistics: Call<{ data: { totals: { people: number } } }>;
    getAccount: Call<{ data: { links: number } }>;
  };

  async function generate(input: string) {
    const path = await linkPackages('hey-api', ['zod'], import.meta.url);
    const { createClient } = await withTypeScript(() => import('@hey-api/openapi-ts'));
    await createClient({
      input: JSON.parse(input),
      output: join(path, 'client'),
      logs: { level: 'silent' },
      plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: true }],
    });
    const read = (name: string) => import(join(path, 'client', name));
    // One after the other: of the client that is configured, there must be one.
    const { client } = await read('client.gen.ts');
    const sdk = await read('sdk.gen.ts');
    const schemas = await read('zod.gen.ts');
    return { api: { ...sdk, client } as Client, schemas: schemas as Record<string, Schema> };
  }

  test('creates, lists, edits, deletes and restores links, and reads their visits', async () => {
    const { document, baseUrl } = await start();
    const { api, schemas } = await generate(document);
    let token = '';
    api.client.setConfig({ baseUrl, auth: () => token });
    const valid = <T>({ data, error, response }: Answer<T>): T => {
      if (data !== undefined) return data;
      const why = `${response?.status} ${JSON.stringify(error)}`;
      throw new Error(`no valid response: ${why}`, { cause: error });
    };
    const body = { originalUrl: 'https://example.com/', tags: ['a'], expiresInDays: 1.5 };
    const first = valid(await api.createLink({ body: { ...body, card: { title: 'Card' } } }));
    token = first.data.authToken;
    const path = { alias: first.data.alias };
    const results = valid(
      await api.createLinks({ body: [body, { ...body, originalUrl: 'mailto:x' }] as object }),
    );
    expect(results.data.map(({ status }) => status)).toEqual([200, 400]);
    expect(valid(await api.listLinks({ query: { limit: 2 } })).total?.count).toBe(2);
    const read = valid(await api.getLink({ path })).data;
    const edited = valid(await api.editLink({ path, body: { ...read, title: 'Edited' } }));
    expect(edited.data.title).toBe('Edited');
    valid(await api.deleteLink({ path }));
    expect(valid(await api.restoreLink({ path })).data.status).toBe('active');
    expect(valid(await api.getLinkStatistics({ path })).data.totals.people).toBe(0);
    expect(valid(await api.getAccount()).data.links).toBe(2);
    const missing = await api.getLink({ path: { alias: 'nothing' } });
    expect(missing.error).toMatchObject({ code: 'not_found' });

    const later = { ...edited, data: { ...edited.data, ...LATER }, hint: 'New' };
    expect(schemas.zGetLinkResponse?.parse(later)).toMatchObject({ data: { status: 'archived' } });
    expect(schemas.zError?.parse(LATER_ERROR)).toMatchObject({ code: 'too_late' });
    const wrong = { ...edited, data: { ...edited.data, hits: 'many' } };
    expect(schemas.zGetLinkResponse?.safeParse(wrong).success).toBe(false);
  });
});

describe('a client that openapi-zod-client generates, with Zodios and axios', () => {
  type Config = { params?: object; queries?: object; headers?: object };
  type Send<T> = (body: unknown, config?: Config) => Promise<T>;
  type Read<T> = (config?: Config) => Promise<T>;
  type Client = {
    createLink: Send<Data>;
    editLink: Send<Data>;
    deleteLink: Send<{ data: unknown }>;
    restoreLink: Send<Data>;
    getLink: Read<Data>;
    listLinks: Read<Listed>;
    getLinkStatistics: Read<{ data: { totals: { people: number } } }>;
  };

  async function generate(document: string) {
    const require = createRequire(import.meta.url);
    const path = await linkPackages(
      'zodios',
      ['zod', '@zodios/core', 'axios'],
      require.resolve('openapi-zod-client'),
    );
    const { generateZodClientFromOpenAPI } = await import('openapi-zod-client');
    await generateZodClientFromOpenAPI({
      openApiDoc: JSON.parse(document),
      distPath: join(path, 'client.ts'),
      options: { withAlias: true, defaultStatusBehavior: 'auto-correct' },
    });
    await writeFile(join(path, 'package.json'), '{"type":"module"}');
    const { createApiClient, schemas } = await import(join(path, 'client.ts'));
    return {
      connect: createApiClient as (baseUrl: string, options: object) => Client,
      schemas: schemas as Record<string, Schema>,
    };
  }

  test('creates, lists, edits, deletes and restores links, and reads their visits', async () => {
    const { document, baseUrl } = await start();
    const { connect, schemas } = await generate(document);
    const api = connect(baseUrl, { validate: true });
    const first = await api.createLink({ originalUrl: 'https://example.com/', maxVisits: 5 });
    const { authToken, ...created } = first.data;
    const call = {
      params: { alias: created.alias },
      headers: { authorization: `Bearer ${authToken}` },
    };
    expect((await api.listLinks({ ...call, queries: { limit: 2 } })).data).toHaveLength(1);
    const read = (await api.getLink(call)).data;
    const edited = await api.editLink({ ...read, title: 'Edited' }, call);
    expect(edited.data.title).toBe('Edited');
    await api.deleteLink(undefined, call);
    expect((await api.restoreLink(undefined, call)).data.status).toBe('active');
    expect((await api.getLinkStatistics(call)).data.totals.people).toBe(0);
    const missing = api.getLink({ ...call, params: { alias: 'nothing' } });
    await expect(missing).rejects.toMatchObject({ response: { data: { code: 'not_found' } } });

    expect(schemas.Link?.parse({ ...read, ...LATER })).toMatchObject({ status: 'archived' });
    expect(schemas.Error?.parse(LATER_ERROR)).toMatchObject({ code: 'too_late' });
    expect(schemas.Link?.safeParse({ ...read, hits: 'many' }).success).toBe(false);
  });
});
