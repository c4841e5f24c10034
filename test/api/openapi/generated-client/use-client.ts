import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

/**
 * What a program does with a generated client: creates links, lists two of them, and edits one twice, the
 * second time with the `ETag` of before. The test makes `schema.d.ts` and type-checks this file with it.
 */
export async function useClient(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });
  const first = await client.POST('/api/shorten', {
    body: { originalUrl: 'https://example.com/', tags: ['generated'], expiresInDays: 1.5 },
  });
  if (!first.data) throw new Error(first.error.message);
  const headers = { authorization: `Bearer ${first.data.data.newAuthToken}` };
  for (const customAlias of ['second', 'third']) {
    const { error } = await client.POST('/api/shorten', {
      headers,
      params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
      body: { originalUrl: 'https://example.com/', customAlias },
    });
    if (error) throw new Error(error.message);
  }

  const list = await client.GET('/api/links', { headers, params: { query: { limit: 2 } } });
  if (!list.data) throw new Error(list.error.message);

  const path = { alias: 'third' };
  const read = await client.GET('/api/links/{alias}', { headers, params: { path } });
  const etag = read.response.headers.get('etag') ?? '';
  const edit = (title: string) =>
    client.PATCH('/api/links/{alias}', {
      headers,
      params: { path, header: { 'If-Match': etag } },
      body: { title },
    });
  const edited = await edit('Edited');
  const outdated = await edit('Edited again');
  return {
    aliases: list.data.data.map(({ alias }) => alias),
    title: edited.data?.data.title,
    outdated: outdated.error?.code,
  };
}

const client = createClient<paths>();

/** What the compiler must not accept: otherwise the types would check nothing. */
export const mistakes = [
  // @ts-expect-error The limit is a number.
  () => client.GET('/api/links', { params: { query: { limit: '2' } } }),
  // @ts-expect-error A link needs a target.
  () => client.POST('/api/shorten', { body: {} }),
  // @ts-expect-error A target is a string.
  () => client.POST('/api/shorten', { body: { originalUrl: 5 } }),
];
