import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { createManageLinks } from '../../../../../../extension/background/account/manage-links.ts';
import { createReadLinks } from '../../../../../../extension/background/account/read-links.ts';
import { listLinks } from '../../../../../../extension/background/links/saved-links.ts';
import { replaceToken } from '../../../../../../extension/background/server/tokens.ts';
import { decideFirstStep } from '../../../../../../extension/background/shorten/shorten.ts';
import type { Payload, Send } from '../../../../../../extension/messaging/protocol.ts';
import {
  createManageState,
  isPaused,
  type ManagedLink,
} from '../../../../../../extension/pages/popup/manage/manage-state.ts';
import { readVisitsToday } from '../../../../../../extension/pages/popup/manage/visits-today.ts';
import { START } from '../../../../../api/support.ts';
import { visit } from '../../../../../api/visits/visiting.ts';
import { type RealServer, startRealServer } from '../../../../support/real-server.ts';
import { speak } from '../../../support/speak.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;
/** What the popup showed after each change. */
let shown: ManagedLink[];

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  shown = [];
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  await replaceToken(server.origin, token);
  await createReadLinks(() => server.client).saveNewest(server.origin);
});

/** Sends to the real background, which calls the real server. */
const send = ((kind: string, payload: Payload<'editLink'> & Payload<'readStatistics'>) => {
  const manage = createManageLinks(() => server.client);
  return kind === 'editLink'
    ? manage.editLink(payload.link, payload.changes, payload.ifMatch)
    : manage.readStatistics(payload);
}) as unknown as Send;

/** The popup's state of the only link. */
async function open() {
  const [entry] = await listLinks();
  if (!entry) throw new Error('No link');
  const { serverOrigin, requestedUrl: _, ...link } = entry;
  const reference = { serverOrigin, shortUrl: link.shortUrl };
  return createManageState({ link, reference, send, onChange: (changed) => shown.push(changed) });
}

const record = async (alias = 'first') => {
  const read = await server.client.readLink({ alias, token });
  if (!read.ok) throw new Error(read.code);
  return read.data;
};
const statusOf = async (path: string) =>
  (await server.app.inject({ url: path, headers: { 'user-agent': 'Mozilla/5.0 Firefox/153.0' } }))
    .statusCode;

describe('the form', () => {
  test('changes alias, title, expiry and password, and shows the link as it is then', async () => {
    const state = await open();
    state.toggleForm();
    state.change({ alias: 'second', title: 'Second', expiryKind: '7d', password: 'swordfish' });
    await state.save();
    expect(state.isEditing.value).toBe(false);
    expect(state.notice.value).toBe('link_saved');
    expect(await record('second')).toMatchObject({ title: 'Second', hasPassword: true });
    expect(shown).toMatchObject([
      {
        link: { shortUrl: `${server.origin}/second`, title: 'Second', hasPassword: true },
        reference: { shortUrl: `${server.origin}/second`, serverOrigin: server.origin },
      },
    ]);
    // The list has the same link, once.
    expect(await listLinks()).toMatchObject([{ shortUrl: `${server.origin}/second` }]);

    state.toggleForm();
    state.change({ expiryKind: 'never', removesPassword: true });
    await state.save();
    expect(await record('second')).toMatchObject({ expiresAt: null, hasPassword: false });
  });

  test('sends only what differs, and nothing if nothing does', async () => {
    const state = await open();
    const before = server.paths.length;
    state.toggleForm();
    state.change({ alias: 'first', title: 'First' });
    await state.save();
    expect(state.isEditing.value).toBe(false);
    expect(server.paths).toHaveLength(before);
    expect((await record()).version).toBe(1);
  });

  test('keeps a time that was not changed, seconds included', async () => {
    await server.client.editLink({ alias: 'first', token }, { expiresAt: '2031-05-06T07:08:09Z' });
    await createReadLinks(() => server.client).saveNewest(server.origin);
    const state = await open();
    state.toggleForm();
    state.change({ title: 'Renamed' });
    await state.save();
    expect(await record()).toMatchObject({
      title: 'Renamed',
      expiresAt: '2031-05-06T07:08:09.000Z',
    });
  });

  test('stays open with the reason at its field', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'taken' });
    const state = await open();
    state.toggleForm();
    state.change({ alias: 'taken' });
    await state.save();
    expect(state.isEditing.value).toBe(true);
    expect(state.issues.value).toEqual({ alias: 'This alias is taken' });
    state.change({ alias: '' });
    expect(state.issues.value).toEqual({});
    await state.save();
    expect(Object.keys(state.issues.value)).toEqual(['alias']);
  });

  test('does not overwrite a change made elsewhere, and shows it', async () => {
    const state = await open();
    state.toggleForm();
    state.change({ title: 'Mine' });
    await server.client.editLink({ alias: 'first', token }, { title: 'Theirs' });
    await state.save();
    expect(state.failure.value?.code).toBe('version_mismatch');
    expect(state.isEditing.value).toBe(true);
    expect(state.shown.value.link.title).toBe('Theirs');
    expect((await record()).title).toBe('Theirs');
    await state.save();
    expect((await record()).title).toBe('Mine');
    expect(state.failure.value).toBeUndefined();
  });
});

test('"Pause" answers visitors with 410, and "Resume" leads them to the target again', async () => {
  const state = await open();
  await state.setActive(false);
  expect(isPaused(state.shown.value)).toBe(true);
  expect(state.notice.value).toBe('link_paused');
  expect(await statusOf('/first')).toBe(410);
  const first = await decideFirstStep(
    { url: TARGET, fullUrl: TARGET, removed: [] },
    server.origin,
    { isPrivate: false },
    createManageLinks(() => server.client),
  );
  // The page has a link, so that no other one is created.
  expect(first).toMatchObject({ first: { step: 'showLink', link: { title: 'First' } }, links: [] });
  await state.setActive(true);
  expect(state.notice.value).toBe('link_resumed');
  expect(await statusOf('/first')).toBe(302);
});

test('a change that fails says why, and leaves the link as it is', async () => {
  const state = await open();
  server.isAway = true;
  await state.setActive(false);
  expect(state.failure.value?.code).toBe('unreachable');
  expect(isPaused(state.shown.value)).toBe(false);
  expect(shown).toEqual([]);
});

describe('the visits of today', () => {
  const read = async () => {
    const { shown } = await open();
    return readVisitsToday(send, shown.value.reference, new Date(START));
  };

  test('are those by people', async () => {
    await visit(server, '/first');
    await visit(server, '/first', { headers: { 'user-agent': 'Googlebot/2.1' } });
    await expect.poll(read).toBe(1);
  });

  test('are not known if the server does not tell them', async () => {
    server.isAway = true;
    expect(await read()).toBeUndefined();
  });
});
