import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { listLinks } from '../../../../../extension/background/data/saved-links.ts';
import { createLinkCaller } from '../../../../../extension/background/links/call-links.ts';
import { createReadLinks } from '../../../../../extension/background/links/read-links.ts';
import {
  decideFirstStep,
  findCurrentLinks,
} from '../../../../../extension/background/shorten/shorten.ts';
import { ManualTime } from '../../../../support/manual-time.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;

/** A link in the list of this browser. What happens to it next happens elsewhere. */
beforeEach(async () => {
  fakeBrowser.reset();
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first' });
  await replaceToken(server.origin, token);
  await sync();
});

// However busy the machine is, the server confirms in time.
const manage = () => createLinkCaller(() => server.client, new ManualTime());
const sync = () => createReadLinks(() => server.client).saveNewest(server.origin);
const first = () => ({ alias: 'first', token });
const found = async () =>
  (await findCurrentLinks(server.origin, TARGET, { isPrivate: false }, manage())).map(
    ({ shortUrl }) => new URL(shortUrl).pathname,
  );

async function firstStep() {
  const target = { url: TARGET, fullUrl: TARGET, removed: [] };
  return (
    await decideFirstStep(target, server.origin, { isPrivate: false, createsLink: true }, manage())
  ).first;
}

test('a link that its server confirms is shown', async () => {
  expect(await firstStep()).toMatchObject({ step: 'showLink', link: { originalUrl: TARGET } });
});

test('a link that was deleted elsewhere is not offered, and leaves the list', async () => {
  await server.client.deleteLink(first());
  expect(await firstStep()).toEqual({ step: 'createLink' });
  expect(await listLinks()).toEqual([]);
});

test('the next link takes its place', async () => {
  await server.create({ originalUrl: TARGET, customAlias: 'second' }, token);
  await sync();
  await server.client.deleteLink(first());
  expect(await found()).toEqual(['/second']);
});

test('a link that was paused elsewhere is shown as paused', async () => {
  await server.client.editLink({ ...first(), body: { isActive: false } });
  expect(await firstStep()).toMatchObject({
    step: 'showLink',
    link: { status: 'inactive' },
  });
});

describe('a link that was saved as paused', () => {
  beforeEach(async () => {
    await server.client.editLink({ ...first(), body: { isActive: false } });
    await sync();
  });

  test('and was resumed elsewhere works', async () => {
    await server.client.editLink({ ...first(), body: { isActive: true } });
    expect(await firstStep()).toMatchObject({ step: 'showLink' });
    expect(await found()).toEqual(['/first']);
  });
});

test('a link that has started since it was saved works', async () => {
  const startsAt = new Date(server.clock.now() + 60_000).toISOString();
  await server.client.editLink({ ...first(), body: { startsAt } });
  await sync();
  expect(await firstStep()).toEqual({ step: 'createLink' });
  await server.clock.advance(60_000);
  expect(await firstStep()).toMatchObject({ step: 'showLink', link: { originalUrl: TARGET } });
});

test('a link that got a password elsewhere is not reused', async () => {
  await server.client.editLink({ ...first(), body: { password: 'swordfish' } });
  expect(await firstStep()).toEqual({ step: 'createLink' });
});

test('a link that was erased elsewhere is not offered, and leaves the list', async () => {
  await server.client.deleteLink(first());
  await server.client.deleteLink({ ...first(), purge: true });
  expect(await firstStep()).toEqual({ step: 'createLink' });
  expect(await listLinks()).toEqual([]);
});

test('the list is believed if the server is away', async () => {
  await server.client.deleteLink(first());
  server.isAway = true;
  expect(await found()).toEqual(['/first']);
});
