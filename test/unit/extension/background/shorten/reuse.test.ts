import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../extension/background/account/tokens.ts';
import { hideLink, linksOf } from '../../../../../extension/background/data/saved-links.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import { createLinkCaller } from '../../../../../extension/background/links/call-links.ts';
import { eraseData } from '../../../../../extension/background/messages/settings-messages.ts';
import {
  createQueue,
  type DeferredOutcome,
} from '../../../../../extension/background/queue/queue.ts';
import { createShorten } from '../../../../../extension/background/shorten/shorten.ts';
import { dataOf } from '../../../../support/data-of.ts';
import { type RealServer, startRealServer } from '../../../support/real-server.ts';
import { breakStorage } from '../../support/browser-storage.ts';

const PAGE = 'https://example.com/page?of=long%20ago';

let server: RealServer;
let token: string;

/** An account with a link that this browser does not know. */
beforeEach(async () => {
  fakeBrowser.reset();
  server = await startRealServer();
  token = await server.create({ originalUrl: PAGE, customAlias: 'older' });
  await saveSettings({ serverOrigin: server.origin });
  await replaceToken(server.origin, token);
});

let reported: DeferredOutcome[] = [];
const clientOf = () => server.client;
const newQueue = () => {
  reported = [];
  return createQueue({
    clientOf,
    onUnsaved: async () => {},
    onDeferred: async (_, __, outcome) => void reported.push(outcome),
  });
};

async function shorten(
  originalUrl = PAGE,
  { reuseExisting = true, isPrivate = false, requestId }: Partial<Options> = {},
  queue = newQueue(),
) {
  const run = createShorten(queue, createLinkCaller(clientOf), clientOf);
  const input = { request: { originalUrl }, isPrivate, title: 'Page', requestId };
  return run(input, await readSettings(), { reuseExisting });
}
type Options = { reuseExisting: boolean; isPrivate: boolean; requestId: string };

const older = () => ({ shortUrl: `${server.origin}/older`, label: '' });
const existing = () => ({ data: { ...older(), isExisting: true } });
const reused = () => ({ status: 'existing', result: existing() });
const count = async () => dataOf(await server.client.getAccount({ token })).links;

test('one call returns the link that the account has for a URL, which is saved', async () => {
  await shorten('https://example.com/another');
  server.paths.length = 0;
  expect(await shorten()).toMatchObject(reused());
  expect(server.paths).toEqual(['POST /api/shorten']);
  expect((await linksOf(server.origin))[0]).toMatchObject({ ...older(), requestedUrl: PAGE });
});

test('a link that has options, is paused, or belongs to a similar URL is not reused', async () => {
  await server.client.editLink({ alias: 'older', token, body: { isActive: false } });
  await server.create({ originalUrl: PAGE, waitTimer: 5 }, token);
  await server.create({ originalUrl: `${PAGE}#more` }, token);
  expect(await shorten()).toMatchObject({ status: 'created', result: { data: { label: 'Page' } } });
});

test.each([{ isPrivate: true }, { reuseExisting: false }])(
  'with %o, a link is created',
  async (options) => {
    expect(await shorten(PAGE, options)).toMatchObject({ status: 'created' });
    expect(await count()).toBe(2);
  },
);

test('a repeated message says, too, that the link was there before', async () => {
  const requestId = 'one';
  await shorten(PAGE, { requestId });
  const repeated = { reuseExisting: false, requestId };
  expect(await shorten(PAGE, repeated)).toMatchObject(reused());
});

test('a link of a private window is not shown: another one is created, once', async () => {
  const { id } = dataOf(await server.client.getLink({ alias: 'older', token }));
  await hideLink(server.origin, id);
  const { status, result } = (await shorten()) as { status: string; result: { data: object } };
  expect(status).toBe('created');
  expect(result.data).not.toMatchObject(older());
  expect(await shorten()).toMatchObject({ status: 'existing', result: { data: result.data } });
  expect(await count()).toBe(2);
});

test('a key that may not read links creates one', async () => {
  const made = await server.client.createToken({ token, body: { name: 'Form', scope: 'create' } });
  await replaceToken(server.origin, dataOf(made).token);
  expect(await shorten()).toMatchObject({ status: 'created' });
});

test('a link is returned, but not saved, if the storage fails or the data is erased meanwhile', async () => {
  const repair = breakStorage();
  onTestFinished(repair);
  expect(await shorten()).toMatchObject(reused());
  repair();
  const { createLink: send } = server.client;
  server.client.createLink = async (...given) => {
    const made = await send(...given);
    await eraseData();
    return made;
  };
  expect(await shorten()).toMatchObject(reused());
  expect(await linksOf(server.origin)).toEqual([]);
});

test('a server that is another one by now gets no URL and no token', async () => {
  server.client.getHealth = async () => ({ ok: false, code: 'not_curt', message: '' });
  const before = [...server.paths];
  await shorten();
  expect(server.paths).toEqual(before);
});

test('a queued request is reported as the link that was there', async () => {
  const queue = newQueue();
  server.isAway = true;
  expect(await shorten(PAGE, {}, queue)).toMatchObject({ status: 'queued' });
  server.isAway = false;
  await queue.retryAll('all');
  expect(reported).toMatchObject([existing()]);
});
