import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { LIST_LIMIT_MAX } from '../../shared/bounds.ts';
import { jsonOf, startWithCurt } from './support/curt.ts';

/** More than a page, so that each command sends several requests. */
const COUNT = LIST_LIMIT_MAX + 5;

/** An account with links of the tag `old`, and one without. */
async function startWithLinks() {
  const service = await startWithCurt({ RATE_LIMIT_PER_MINUTE: '1000' });
  const { curt, home } = service;
  await curt(['shorten', 'example.com/other', '--alias', 'other']);
  const rows = Array.from({ length: COUNT }, (_, n) => `https://example.com/${n},old-${n},old`);
  await writeFile(`${home}/links.csv`, ['originalUrl,alias,tags', ...rows].join('\n'));
  expect((await curt(['import', 'links.csv'])).exitCode).toBe(0);
  const count = async (...filter: string[]) =>
    jsonOf(await curt(['list', '--json', '--all', ...filter])).data.length;
  return { ...service, count };
}

test('curt bulk counts, changes, deletes and restores all links of a filter', async () => {
  const { curt, count } = await startWithLinks();
  const edit = ['bulk', 'edit', '--tag', 'OLD', '--deactivate', '--add-tag', 'archive'];
  expect(await curt([...edit, '--dry-run'])).toEqual({
    exitCode: 0,
    stdout: `Links: ${COUNT}\n`,
    stderr: '',
  });
  expect(await count('--tag', 'archive')).toBe(0);
  expect((await curt([...edit, '--yes'])).stdout).toBe(`Links changed: ${COUNT}\n`);
  expect(await count('--tag', 'archive', '--status', 'inactive')).toBe(COUNT);
  const again = jsonOf(await curt([...edit, '--yes', '--json']));
  expect(again).toEqual({ success: true, data: { matched: COUNT, changed: [] } });

  const untagged = ['bulk', 'edit', '--search', 'old', '--remove-tag', 'archive', '--activate'];
  expect((await curt([...untagged, '--yes'])).stdout).toBe(`Links changed: ${COUNT}\n`);
  expect(await count('--status', 'active')).toBe(COUNT + 1);

  const removed = jsonOf(await curt(['bulk', 'delete', '--tag', 'old', '--yes', '--json'])).data;
  expect(removed.changed).toHaveLength(COUNT);
  expect(await count()).toBe(1);
  expect((await curt(['bulk', 'restore', '--all', '--yes'])).stdout).toBe(
    `Links changed: ${COUNT}\n`,
  );
  expect((await curt(['bulk', 'delete', '--all', '--yes'])).stdout).toBe(
    `Links changed: ${COUNT + 1}\n`,
  );
  expect(await count()).toBe(0);
});

test('curt bulk edit lets links expire, or never, and moves them to a domain', async () => {
  const { curt } = await startWithCurt();
  await curt(['shorten', 'example.com', '--alias', 'sale', '--tag', 'x']);
  const edit = (...options: string[]) => curt(['bulk', 'edit', '--tag', 'x', '--yes', ...options]);
  const expiry = async () => jsonOf(await curt(['list', '--json'])).data[0].expiresAt;
  expect((await edit('--expires-at', '2050-01-01T00:00:00Z')).stdout).toBe('Links changed: 1\n');
  expect(await expiry()).toBe('2050-01-01T00:00:00.000Z');
  expect((await edit('--no-expiry')).stdout).toBe('Links changed: 1\n');
  expect(await expiry()).toBeNull();
  const moved = await edit('--move-to', 'unknown.example');
  expect(moved.stderr).toContain('Must be a domain that the account can use');
  expect(moved.exitCode).not.toBe(0);
});

describe('curt bulk changes nothing', () => {
  test.each([
    ['without --yes and a terminal', ['delete', '--tag', 'x'], /^Links: 1\. .* Add --yes/],
    ['without a filter', ['delete', '--yes'], /^Say which links/],
    ['with an empty filter', ['delete', '--tag', '', '--yes'], /^--tag is empty/],
    ['with one of two', ['delete', '--status', 'active', '--tag', ' ', '--yes'], /^--tag is empty/],
    ['with a filter and --all', ['restore', '--tag', 'x', '--all', '--yes'], /^Say which links/],
    ['without a change', ['edit', '--tag', 'x', '--yes'], /^Nothing to change/],
    [
      'with two expiries',
      ['edit', '--tag', 'x', '--expires-at', '2050-01-01T00:00:00Z', '--no-expiry'],
      /cannot be used with option/,
    ],
    ['with opposites', ['edit', '--tag', 'x', '--activate', '--deactivate'], /cannot be used with/],
  ])('%s', async (_title, args, message) => {
    const { curt, store } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'launch', '--tag', 'x']);
    const outcome = await curt(['bulk', ...args, '--json']);
    expect([outcome.exitCode, jsonOf(outcome).message]).toEqual([
      2,
      expect.stringMatching(message),
    ]);
    expect((await store.findLink('launch'))?.version).toBe(1);
  });
});

test('curt bulk lists the links that could not be changed, and fails', async () => {
  const { curt } = await startWithCurt();
  const tags = Array.from({ length: 10 }, (_, n) => ['--tag', `tag-${n}`]).flat();
  await curt(['shorten', 'example.com/full', '--alias', 'full', ...tags]);
  await curt(['shorten', 'example.com/free', '--alias', 'free']);
  const edit = ['bulk', 'edit', '--all', '--add-tag', 'more', '--yes'];
  const outcome = await curt(edit);
  expect([outcome.exitCode, outcome.stdout]).toEqual([1, '']);
  expect(outcome.stderr).toMatch(/^ALIAS +MESSAGE\nfull +addTags: A link can have at most 10 tags/);
  expect(outcome.stderr).toContain('Links changed: 1. Links that could not be changed: 1.\n');
  expect(jsonOf(await curt([...edit, '--json']))).toMatchObject({
    code: 'links_failed',
    report: { matched: 2, changed: [], failed: [{ alias: 'full' }] },
  });
});

test('curt bulk says what it has changed before a failure', async () => {
  const { curt, store } = await startWithLinks();
  const { listLinks } = store;
  let lists = 0;
  // The count, and a page.
  store.listLinks = (query) => {
    lists += 1;
    return lists > 2 ? Promise.reject(new Error('broken')) : listLinks.call(store, query);
  };
  const outcome = jsonOf(await curt(['bulk', 'delete', '--tag', 'old', '--yes', '--json']));
  expect(outcome).toMatchObject({
    code: 'internal',
    message: expect.stringContaining(`${LIST_LIMIT_MAX} links were changed. Repeat`),
  });
  expect(outcome.report.changed).toHaveLength(LIST_LIMIT_MAX);
});
