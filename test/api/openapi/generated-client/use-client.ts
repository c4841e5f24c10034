import { client } from './client/client.gen.ts';
import * as api from './client/sdk.gen.ts';
import type { CreateLinkData, EditLinkData, ListLinksData } from './client/types.gen.ts';

/**
 * What a program does with a generated client, which checks requests and responses by the description. The test
 * makes `client`, and type-checks this file with it.
 */
export async function useClient(baseUrl: string) {
  let token: string | undefined;
  client.setConfig({ baseUrl, auth: () => token });
  const target = { originalUrl: 'https://example.com/', tags: ['generated'], expiresInDays: 1.5 };
  const first = valid(await api.createLink({ body: { ...target, card: { title: 'Card' } } }));
  token = first.data.newAuthToken;
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  for (const customAlias of ['second', 'third']) {
    valid(await api.createLink({ body: { ...target, customAlias } }));
  }
  const batch = valid(
    await api.createLinks({ headers, body: [target, { ...target, originalUrl: 'mailto:x' }] }),
  );
  const list = valid(await api.listLinks({ query: { limit: 2, q: 'ir' } }));

  const path = { alias: 'third' };
  const read = await api.getLink({ path });
  const etag = read.response?.headers.get('etag') ?? '';
  // Responses may have values of a later version, which a request may not have.
  const record = valid(read).data as NonNullable<EditLinkData['body']>;
  const edit = (title: string) =>
    api.editLink({ path, headers: { 'If-Match': etag }, body: { ...record, title } });
  const edited = valid(await edit('Edited'));
  const outdated = await edit('Edited again');
  valid(await api.deleteLink({ path }));
  const missing = await api.getLink({ path: { alias: 'nothing' } });
  return {
    batch: batch.data.map(({ status }) => status),
    aliases: list.data.map(({ alias }) => alias),
    title: edited.data.title,
    outdated: outdated.error?.code,
    restored: valid(await api.restoreLink({ path })).data.status,
    people: valid(await api.getLinkStatistics({ path })).data.totals.people,
    links: valid(await api.getAccount()).data.links,
    missing: missing.error?.code,
    edited,
  };
}

function valid<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data !== undefined) return data;
  throw new Error(`no valid response: ${JSON.stringify(error)}`, { cause: error });
}

/** What the compiler must not accept: otherwise the types would check nothing. */
export const mistakes = [
  // @ts-expect-error The limit is a number.
  (): ListLinksData['query'] => ({ limit: '2' }),
  // @ts-expect-error A link needs a target.
  (): CreateLinkData['body'] => ({}),
  // @ts-expect-error A target is a string.
  (): CreateLinkData['body'] => ({ originalUrl: 5 }),
];
