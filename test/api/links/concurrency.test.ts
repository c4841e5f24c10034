import { expect, test } from 'vitest';
import { call, makeLink, startService } from '../support.ts';

/** Reads the whole list, `limit` links at a time, and does something between the pages. */
test('a list that is read while links are created, renamed, deleted and restored skips and repeats none', async () => {
  const service = await startService();
  const { authToken: token } = await makeLink(service, { customAlias: 'a0' });
  const kept: string[] = ['a0'];
  for (let number = 1; number < 30; number++) {
    await service.clock.advance(number % 3);
    await makeLink(service, { customAlias: `a${number}` }, { token });
    // Every fourth is deleted while the list is read.
    if (number % 4 !== 0) kept.push(`a${number}`);
  }
  const ids = new Map<string, string>();
  for (const alias of kept) ids.set((await service.store.findLink(alias))?.id ?? '', alias);

  const seen: string[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page++) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await call(service, `GET /api/links?limit=4${query}`, { token });
    const { data, nextCursor } = response.json();
    seen.push(...data.map(({ id }: { id: string }) => id));
    cursor = nextCursor;
    await service.clock.advance(1);
    await Promise.all([
      makeLink(service, { customAlias: `new${page}` }, { token }),
      call(service, `DELETE /api/links/a${page * 4}`, { token }),
      call(service, `PATCH /api/links/a${29 - page}`, { token, body: { customAlias: `b${page}` } }),
    ]);
    await call(service, 'POST /api/links/a0/restore', { token });
  }
  expect(new Set(seen).size).toBe(seen.length);
  const found = seen.map((id) => ids.get(id)).filter((alias) => alias !== undefined);
  // Newest first. Those with the same time of creation have no order by alias.
  expect(found.toSorted()).toEqual(kept.toSorted());
});
