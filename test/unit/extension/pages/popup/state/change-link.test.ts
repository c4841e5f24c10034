import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { replaceToken } from '../../../../../../extension/background/account/tokens.ts';
import { listLinks } from '../../../../../../extension/background/data/saved-links.ts';
import { readSettings } from '../../../../../../extension/background/data/settings.ts';
import { createReadLinks } from '../../../../../../extension/background/links/read-links.ts';
import type { FirstStep, MessageKind } from '../../../../../../extension/messaging/protocol.ts';
import type { Send } from '../../../../../../extension/messaging/send.ts';
import { readVisitsToday } from '../../../../../../extension/pages/popup/LinkCard.tsx';
import {
  createPopupState,
  type PopupState,
} from '../../../../../../extension/pages/popup/state/popup-state.ts';
import { formDrafts } from '../../../../../../extension/storage/items.ts';
import { START } from '../../../../../api/support.ts';
import { storeVisits, visit } from '../../../../../api/visits/visiting.ts';
import { domainOf } from '../../../../../store/contract/domains.ts';
import { dataOf } from '../../../../../support/data-of.ts';
import { type RealServer, startRealServer } from '../../../../support/real-server.ts';
import { newBackground } from '../../../support/background.ts';
import { whenStored } from '../../../support/browser-storage.ts';
import { speak } from '../../../support/speak.ts';

const TARGET = 'https://example.com/page';

let server: RealServer;
let token: string;
/** What was copied, in order. */
let copied: string[];
/** Whether the popup is closed before the next response. */
let isClosed: boolean;

beforeEach(async () => {
  fakeBrowser.reset();
  speak('en');
  copied = [];
  isClosed = false;
  server = await startRealServer();
  token = await server.create({ originalUrl: TARGET, customAlias: 'first', title: 'First' });
  await replaceToken(server.origin, token);
  await createReadLinks(() => server.client).saveNewest(server.origin);
});

/** Sends to the real background, which calls the real server. */
const send = (async (kind: MessageKind, payload: never) => {
  const answer = await newBackground(() => server.client)[kind](payload);
  return isClosed ? new Promise(() => {}) : answer;
}) as unknown as Send;

/** A popup that shows the only link. */
async function open({ isExisting = true } = {}) {
  const [entry] = await listLinks();
  if (!entry) throw new Error('No link');
  const { serverOrigin, requestedUrl: _, ...link } = entry;
  const settings = { ...(await readSettings()), serverOrigin };
  const page = Promise.resolve({ url: TARGET, title: 'A page', isPrivate: false, tabId: 1 });
  const copy = async (text: string) => copied.push(text) > 0;
  const whenLoaded = async () => page;
  const state = createPopupState(page, { send, popupId: 'popup', copy, whenLoaded });
  const first: FirstStep = isExisting
    ? { step: 'showLink', link }
    : { step: 'showResult', result: { ok: true, data: link } };
  const target = { url: TARGET, fullUrl: TARGET, removed: [] };
  await state.start(
    Promise.resolve({ ok: true, data: { settings, target, links: [link], first } }),
  );
  return state;
}

/** The view of the link. */
const shown = ({ view }: PopupState) => {
  if (view.value.name !== 'link') throw new Error(view.value.name);
  return view.value;
};

/** The half-written form of the tab. */
const draft = async () => (await formDrafts.read())[1]?.draft;
const record = async (alias = 'first') => dataOf(await server.client.getLink({ alias, token }));
const statusOf = async (path: string) =>
  (await server.app.inject({ url: path, headers: { 'user-agent': 'Mozilla/5.0 Firefox/153.0' } }))
    .statusCode;

describe('the form of the link', () => {
  test('changes every field, copies the new short URL, and shows the link as it is then', async () => {
    const state = await open();
    state.openForm();
    state.changeForm({ originalUrl: `${TARGET}-2` });
    state.changeForm({ customAlias: 'second' });
    state.changeForm({ title: 'Second' });
    state.changeForm({ tags: ['work'] });
    state.changeForm({ expiryKind: '7d' });
    state.changeForm({ maxVisits: '5' });
    state.changeForm({ password: 'swordfish' });
    state.changeForm({ waitTimer: '7' });
    state.changeForm({ forwardQuery: true });
    await state.submitForm();
    expect(state.isFormOpen.value).toBe(false);
    expect(await record('second')).toMatchObject({
      originalUrl: `${TARGET}-2`,
      title: 'Second',
      tags: ['work'],
      maxVisits: 5,
      hasPassword: true,
      waitTimer: 7,
      forwardQuery: true,
    });
    const shortUrl = `${server.origin}/second`;
    expect(shown(state)).toMatchObject({
      link: { shortUrl, title: 'Second', hasPassword: true },
      reference: { shortUrl, serverOrigin: server.origin },
      notice: 'link_saved',
      copy: 'done',
    });
    expect(copied).toEqual([`${server.origin}/first`, shortUrl]);
    // The list has the same link, once.
    expect(await listLinks()).toMatchObject([{ shortUrl }]);

    state.openForm();
    state.changeForm({ expiryKind: 'never' });
    state.changeForm({ maxVisits: '' });
    state.changeForm({ removesPassword: true });
    await state.submitForm();
    expect(await record('second')).toMatchObject({
      expiresAt: null,
      maxVisits: null,
      hasPassword: false,
    });
    // What is in the clipboard still leads there.
    expect(copied).toHaveLength(2);
  });

  test('sends only what differs, and nothing if nothing does', async () => {
    const state = await open();
    const before = server.paths.length;
    state.openForm();
    state.changeForm({ customAlias: 'first' });
    state.changeForm({ title: 'First' });
    await state.submitForm();
    expect(state.isFormOpen.value).toBe(false);
    expect(server.paths).toHaveLength(before);
    expect((await record()).version).toBe(1);
  });

  test('keeps a time that was not changed, seconds included', async () => {
    await server.client.editLink({
      alias: 'first',
      token,
      body: { expiresAt: '2031-05-06T07:08:09Z' },
    });
    await createReadLinks(() => server.client).saveNewest(server.origin);
    const state = await open();
    state.openForm();
    state.changeForm({ title: 'Renamed' });
    await state.submitForm();
    expect(await record()).toMatchObject({
      title: 'Renamed',
      expiresAt: '2031-05-06T07:08:09.000Z',
    });
  });

  test('is kept when it is left, and given up when it is cancelled', async () => {
    const state = await open();
    state.openForm();
    state.changeForm({ title: 'Half-written' });
    state.changeForm({ password: 'swordfish' });
    state.leaveForm();
    expect(state.isFormOpen.value).toBe(false);
    expect(state.keptDraft.value).toMatchObject({ fields: { title: 'Half-written' } });
    expect(JSON.stringify(state.keptDraft.value)).not.toContain('swordfish');
    state.openForm();
    expect(state.changedFields.value).toEqual({ title: 'Half-written' });
    expect(state.issues.value.password).toContain('Passwords aren’t saved');
    await state.closeForm();
    expect(state.keptDraft.value).toBeUndefined();
    state.openForm();
    expect(state.changedFields.value).toEqual({});
    await whenStored(async () => (await draft()) === undefined);
    expect((await record()).version).toBe(1);
  });

  test('leaves no draft, even if the popup closes before the response', async () => {
    const closed = await open();
    closed.openForm();
    closed.changeForm({ title: 'Renamed' });
    await whenStored(async () => (await draft())?.fields.title === 'Renamed');
    isClosed = true;
    void closed.submitForm();
    await whenStored(async () => (await draft()) === undefined);
    expect((await record()).title).toBe('Renamed');
  });

  test('stays open with the reason at its field', async () => {
    await server.create({ originalUrl: TARGET, customAlias: 'taken' });
    const state = await open();
    state.openForm();
    state.changeForm({ customAlias: 'taken' });
    await state.submitForm();
    expect(state.isFormOpen.value).toBe(true);
    expect(state.issues.value).toEqual({ customAlias: 'This alias is taken' });
    state.changeForm({ customAlias: '' });
    expect(state.issues.value).toEqual({});
    state.changeForm({ originalUrl: '' });
    await state.submitForm();
    expect(Object.keys(state.issues.value)).toEqual(['originalUrl', 'customAlias']);
  });

  test('does not overwrite a change made elsewhere, and shows it', async () => {
    const state = await open();
    state.openForm();
    state.changeForm({ title: 'Mine' });
    await server.client.editLink({ alias: 'first', token, body: { title: 'Theirs' } });
    await state.submitForm();
    expect(state.formFailure.value?.code).toBe('version_mismatch');
    expect(state.isFormOpen.value).toBe(true);
    expect(shown(state).link.title).toBe('Theirs');
    expect((await record()).title).toBe('Theirs');
    await state.submitForm();
    expect((await record()).title).toBe('Mine');
    expect(state.formFailure.value).toBeUndefined();
  });
});

test('another domain moves the link that was just created, which "Undo" still deletes', async () => {
  await server.store.administration.addDomain(domainOf('go.example'));
  const state = await open({ isExisting: false });
  await state.chooseDomain('go.example');
  const moved = 'https://go.example/first';
  expect(shown(state)).toMatchObject({ link: { shortUrl: moved }, isExisting: false });
  expect(copied).toEqual([`${server.origin}/first`, moved]);
  expect((await listLinks()).map(({ shortUrl }) => shortUrl)).toEqual([moved]);
  await state.undoCreate();
  expect(await statusOf('/first')).toBe(410);
});

test('a change that fails says why, and leaves the link as it is', async () => {
  const state = await open();
  server.isAway = true;
  await state.togglePause();
  expect(state.formFailure.value?.code).toBe('unreachable');
  expect(shown(state).link).toMatchObject({ status: 'active' });
});

test('"Undo" deletes the link that was just created, and "Restore" brings it back', async () => {
  const state = await open({ isExisting: false });
  expect(copied).toEqual([`${server.origin}/first`]);
  state.openForm();
  state.changeForm({ tags: ['work'] });
  await whenStored(async () => (await draft()) !== undefined);
  await state.undoCreate();
  expect(state.view.value.name).toBe('deleted');
  expect(await statusOf('/first')).toBe(410);
  expect(await listLinks()).toEqual([]);
  await whenStored(async () => (await draft()) === undefined);
  // The dead link is not pasted by mistake.
  expect(copied.at(-1)).toBe('');
  await state.restoreLink();
  expect(shown(state)).toMatchObject({ link: { title: 'First' }, copy: 'done' });
  expect(await statusOf('/first')).toBe(302);
  expect(await listLinks()).toMatchObject([{ requestedUrl: TARGET }]);
  expect(copied.at(-1)).toBe(`${server.origin}/first`);
  state.openForm();
  state.changeForm({ title: 'Second' });
  await state.submitForm();
  expect(state.formFailure.value).toBeUndefined();
  expect((await record()).title).toBe('Second');
});

describe('the visits of today', () => {
  const read = async () => {
    const [link] = await listLinks();
    if (!link) throw new Error('No link');
    return readVisitsToday(send, link, new Date(START));
  };

  test('are those by people', async () => {
    await visit(server, '/first');
    await visit(server, '/first', { headers: { 'user-agent': 'Googlebot/2.1' } });
    await storeVisits(server);
    expect(await read()).toBe(1);
  });

  test('are not known if the server does not tell them', async () => {
    server.isAway = true;
    expect(await read()).toBeUndefined();
  });
});
