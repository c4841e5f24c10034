import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveLink } from '../../../../../../extension/background/data/saved-links.ts';
import { saveSettings } from '../../../../../../extension/background/data/settings.ts';
import type { Shorten } from '../../../../../../extension/background/shorten/shorten.ts';
import type { CreatedLink, Result } from '../../../../../../extension/messaging/protocol.ts';
import type { Broadcast, Send } from '../../../../../../extension/messaging/send.ts';
import type { TabPage } from '../../../../../../extension/pages/popup/state/popup-model.ts';
import { createPopupState } from '../../../../../../extension/pages/popup/state/popup-state.ts';
import { createClient } from '../../../../../../shared/client.ts';
import type { LinkRecord } from '../../../../../../shared/links/link-record.ts';
import { ManualTime, START } from '../../../../../support/manual-time.ts';
import { until } from '../../../../../support/until.ts';
import { aLink } from '../../../support/a-link.ts';
import { newBackground } from '../../../support/background.ts';
import { speak } from '../../../support/speak.ts';

const PAGE = 'https://example.com/page';
const SECRET_PAGE = `${PAGE}?access_token=q8Zr2LmX0vNf4TbK9sYd`;
const LINK = aLink({ originalUrl: PAGE });

/** The payloads of messages to the background. */
type Payload = object;
let sent: [kind: string, payload: Payload][];
/** The links that the background was to create. */
let created: { request: object; reuseExisting: boolean | undefined }[];
/** Every answer of the background. */
let received: unknown[];
/** What the background answers where no server may be asked. */
let answers: Record<string, unknown>;
let time: ManualTime;

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  sent = [];
  created = [];
  received = [];
  answers = { createLink: { ok: true, data: LINK } };
  time = new ManualTime();
});

type Opening = Partial<Omit<TabPage, 'url'>> & {
  isForOptions?: boolean;
  whenLoaded?: () => Promise<TabPage>;
};

function openPopup(url: string | undefined, opening: Opening = {}) {
  const { isForOptions = false, whenLoaded = () => new Promise(() => {}), ...about } = opening;
  const shorten = (async ({ request }, _settings, { reuseExisting } = {}) => {
    created.push({ request, reuseExisting });
    const result = (await answers.createLink) as Result<CreatedLink>;
    if (result.ok) return { status: 'created', result };
    return { status: result.queued ? 'queued' : 'failed', result };
  }) as Shorten;
  const background = newBackground((baseUrl) => createClient({ baseUrl }), shorten);
  const send = (async (kind: keyof typeof background, payload: never) => {
    sent.push([kind, payload]);
    const answer = (kind !== 'createLink' && answers[kind]) || background[kind](payload);
    received.push(answer);
    return answer;
  }) as unknown as Send;
  const page = Promise.resolve({ ...tabPage(url), ...about });
  const tools = { send, popupId: 'popup', copy: async () => true, whenLoaded, time };
  return createPopupState(page, tools, { isForOptions });
}

function tabPage(url: string | undefined): TabPage {
  return { url, title: 'A page', isPrivate: false, tabId: 1 };
}

const save = (link: LinkRecord, url = PAGE) => saveLink('http://localhost:2878', url, link, false);
const fillForm = (state: ReturnType<typeof openPopup>) => {
  state.changeForm({ customAlias: 'mine' });
  state.changeForm({ password: 'swordfish' });
};
const broadcast = (message: Broadcast) =>
  fakeBrowser.runtime.onMessage.trigger(message, {}, () => {});
const requests = () => created.map(({ request }) => request);

describe('a secret in the URL of a form', () => {
  test('is removed from the form’s request, which keeps all other values', async () => {
    await save(LINK, SECRET_PAGE);
    const state = openPopup(SECRET_PAGE, { isForOptions: true });
    await state.start();
    fillForm(state);
    await state.submitForm();
    expect(state.view.value.name).toBe('secret');
    await state.removeSecret();
    expect(requests()).toEqual([
      { originalUrl: PAGE, customAlias: 'mine', password: 'swordfish', label: 'A page' },
    ]);
    expect(state.view.value.name).toBe('link');
  });

  test('is asked about before the form is shown, unless that is switched off', async () => {
    await saveSettings({ optionsFirst: true });
    const state = openPopup(SECRET_PAGE);
    await state.start();
    expect(state.view.value.name).toBe('secret');
    await saveSettings({ warnAboutSecrets: false });
    await state.start();
    expect(state.view.value.name).toBe('ready');
    await saveSettings({ optionsFirst: false });
    await state.start();
    expect(requests()).toEqual([{ originalUrl: SECRET_PAGE }]);
  });
});

describe('a server that has moved', () => {
  const movedTo = 'https://localhost:2878';
  const queued = { id: 'request', retryAtMs: START + 60_000 };

  test('is used at its new address once the user agrees, also for the form', async () => {
    const settings = await saveSettings({});
    answers.createLink = { ok: false, code: 'unreachable', queued, movedTo };
    answers.moveServer = { ok: true, data: { ...settings, serverOrigin: movedTo } };
    const state = openPopup(PAGE, { isForOptions: true });
    await state.start();
    fillForm(state);
    await state.submitForm();
    expect(state.view.value).toMatchObject({ name: 'queued', failure: { movedTo } });
    answers.createLink = { ok: true, data: LINK };
    await state.useNewAddress();
    expect(sent).toContainEqual(['moveServer', { from: settings.serverOrigin, to: movedTo }]);
    expect(state.settings.value?.serverOrigin).toBe(movedTo);
    expect(state.view.value.name).toBe('link');
    expect(created.at(-1)?.request).toEqual(created.at(0)?.request);
  });

  test('is not used if it is another one by then', async () => {
    answers.createLink = { ok: false, code: 'unreachable', queued, movedTo };
    answers.moveServer = { ok: false, code: 'other_server' };
    const state = openPopup(PAGE);
    await state.start();
    await state.useNewAddress();
    expect(state.view.value).toMatchObject({ name: 'failed', failure: { code: 'other_server' } });
    expect(created).toHaveLength(1);
  });
});

describe('a tab whose first page is still loading', () => {
  const failureOf = (state: ReturnType<typeof openPopup>) =>
    state.view.value.name === 'failed' && state.textOf(state.view.value.failure).title;

  test.each([undefined, 'about:blank'])('is no page of the browser (%s)', async (url) => {
    const state = openPopup(url, { isLoading: true });
    await state.start();
    expect(failureOf(state)).toBe('This page is still loading');
    const loaded = openPopup(url);
    await loaded.start();
    expect(failureOf(loaded)).toBe('This page can’t be shortened');
  });

  test('is shortened when it has loaded', async () => {
    const whenLoaded = async () => ({ ...tabPage(PAGE), title: 'Now' });
    const state = openPopup('about:blank', { isLoading: true, whenLoaded });
    await state.start();
    await until(() => state.view.value.name === 'link');
    expect(state.subject.value).toMatchObject({ url: PAGE, title: 'Now' });
    expect(requests()).toEqual([{ originalUrl: PAGE }]);
  });

  test('asks for another click if the browser doesn’t tell its URL without one', async () => {
    const whenLoaded = async () => tabPage(undefined);
    const state = openPopup('about:blank', { isLoading: true, whenLoaded });
    await state.start();
    await until(() => failureOf(state) === 'The page is ready');
    expect(requests()).toEqual([]);
  });

  test('leaves alone what the user shortens meanwhile', async () => {
    const loaded = Promise.withResolvers<TabPage>();
    const state = openPopup(undefined, { isLoading: true, whenLoaded: () => loaded.promise });
    await state.start();
    state.typeUrl('https://typed.example/');
    await state.shortenTypedUrl();
    loaded.resolve(tabPage(PAGE));
    await new Promise(setImmediate);
    expect(state.subject.value.url).toBe('https://typed.example/');
    expect(requests()).toHaveLength(1);
  });
});

test('one message opens the popup and creates the link', async () => {
  const state = openPopup(PAGE);
  await state.start();
  expect(state.view.value).toMatchObject({ name: 'link', link: LINK, copy: 'done' });
  expect(sent.map(([kind]) => kind)).toEqual(['startPopup']);
  expect(requests()).toEqual([{ originalUrl: PAGE }]);
});

test('one message shortens a typed URL', async () => {
  await save(LINK);
  const state = openPopup(PAGE);
  await state.start();
  sent = [];
  state.typeUrl('example.com/typed');
  await state.shortenTypedUrl();
  expect(sent.map(([kind]) => kind)).toEqual(['startUrl']);
  expect(requests()).toEqual([{ originalUrl: 'https://example.com/typed' }]);
});

test('a link that only the server knew is shown as existing', async () => {
  answers.createLink = { ok: true, data: { ...LINK, isExisting: true } };
  const state = openPopup(PAGE);
  await state.start();
  expect(state.view.value).toMatchObject({ name: 'link', link: LINK, isExisting: true });
});

test('another link is created only on request', async () => {
  const state = openPopup(PAGE);
  await state.start();
  await state.createAnother();
  expect(created.map(({ reuseExisting }) => reuseExisting)).toEqual([true, false]);
});

describe('a server that doesn’t respond', () => {
  test('is slow after three seconds, until it responds', async () => {
    const answer = Promise.withResolvers<unknown>();
    answers.createLink = answer.promise;
    const state = openPopup(PAGE);
    const started = state.start();
    // The popup loads code before it sends the request.
    while (requests().length === 0) await new Promise(setImmediate);
    await time.advance(2900);
    expect(state.isSlow.value).toBe(false);
    await time.advance(200);
    expect(state.view.value.name).toBe('working');
    expect(state.isSlow.value).toBe(true);
    answer.resolve({ ok: true, data: LINK });
    await started;
    expect(state.isSlow.value).toBe(false);
  });

  test('is not slow once it has responded', async () => {
    const state = openPopup(PAGE);
    await state.start();
    await time.advance(10_000);
    expect(state.isSlow.value).toBe(false);
  });
});

describe('a request that is shown as queued', () => {
  const queued = { id: 'one', retryAtMs: 9e12 };
  const pending = { ...queued, serverOrigin: 'http://localhost:2878', url: PAGE };

  beforeEach(() => {
    answers.createLink = { ok: false, code: 'unreachable', queued };
  });

  test('is shown while it waits', async () => {
    answers.readQueue = { ok: true, data: [{ ...pending, failure: 'unreachable' }] };
    const state = openPopup(PAGE);
    await state.start();
    await state.watchQueue();
    expect(state.view.value.name).toBe('queued');
  });

  test('is no longer shown when it is discarded elsewhere', async () => {
    answers.readQueue = { ok: true, data: [] };
    const state = openPopup(PAGE);
    await state.start();
    await state.watchQueue();
    expect(state.view.value.name).toBe('ready');
  });

  describe('gives way to its link, which arrives while', () => {
    const settled = {
      kind: 'requestSettled',
      id: 'one',
      answer: { ok: true, data: LINK },
    } as const;
    let state: ReturnType<typeof openPopup>;
    beforeEach(async () => {
      answers.readQueue = { ok: true, data: [{ ...pending, failure: 'unreachable' }] };
      state = openPopup(PAGE);
      await state.start();
      await state.watchQueue();
    });

    test('the time of its next try is read', async () => {
      const next = { ...pending, failure: 'unreachable', retryAtMs: 8e12 };
      answers.readQueue = { ok: true, data: [next] };
      state.queued.subscribe(([request]) => {
        if (request?.retryAtMs === next.retryAtMs) void broadcast(settled);
      });
      await broadcast({ kind: 'queueChanged' });
      await vi.dynamicImportSettled();
      expect(state.view.value.name).toBe('link');
    });

    test.each([
      { ok: true, data: true },
      { ok: false, code: 'extension_failed' },
    ])('it is discarded (%j)', async (answer) => {
      const { promise, resolve } = Promise.withResolvers();
      answers.discardRequest = promise;
      const discarding = state.discardQueued();
      await broadcast(settled);
      await until(() => state.view.value.name === 'link');
      resolve(answer);
      await discarding;
      expect(state.view.value.name).toBe('link');
    });
  });
});

describe('the other links of a page', () => {
  const locked = { ...LINK, shortUrl: 'https://curt.example/locked', hasPassword: true };

  test('are listed beside a new one, which is still created', async () => {
    await save(locked);
    const state = openPopup(PAGE);
    await state.start();
    expect(requests()).toEqual([{ originalUrl: PAGE }]);
    expect(state.view.value).toMatchObject({ name: 'link', link: LINK, isExisting: false });
    expect(state.otherLinks.value).toEqual([locked]);
  });

  test('switch places with the one that is shown', async () => {
    await save(locked);
    const state = openPopup(PAGE);
    await state.start();
    await state.showExisting(locked);
    expect(state.view.value).toMatchObject({ name: 'link', link: locked, copy: 'done' });
    expect(state.otherLinks.value).toEqual([LINK]);
  });

  test('belong to the current URL', async () => {
    await save(locked);
    await save(LINK);
    const state = openPopup(PAGE);
    await state.start();
    expect(state.otherLinks.value).toEqual([locked]);
    state.typeUrl('https://example.com/other');
    await state.shortenTypedUrl();
    expect(state.otherLinks.value).toEqual([]);
  });
});

describe('a half-written form', () => {
  const reopened = async (tabId = 1, url = PAGE) => {
    const state = openPopup(url, { tabId });
    await state.start();
    return state;
  };

  /** The form that a popup left behind, opened with its form. */
  async function leaveForm(): Promise<void> {
    const state = openPopup(PAGE, { isForOptions: true });
    await state.start();
    fillForm(state);
    state.changeForm({ title: 'My title' });
    await settle();
  }
  /** The popup doesn't wait until its draft is saved. */
  async function settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(received);
  }

  test('is still there when the popup opens again, and creates no link', async () => {
    await leaveForm();
    const state = await reopened();
    expect(state.changedFields.value).toEqual({ customAlias: 'mine', title: 'My title' });
    expect(state.view.value.name).toBe('ready');
    expect(requests()).toEqual([]);
  });

  test('is stored without its password, which is asked for once', async () => {
    await leaveForm();
    expect(JSON.stringify(await fakeBrowser.storage.session.get())).not.toContain('swordfish');
    expect(JSON.stringify(await fakeBrowser.storage.local.get())).not.toContain('mine');
    const state = await reopened();
    expect(state.issues.value.password).toContain('Passwords aren’t saved');
    await state.submitForm();
    expect(requests()).toEqual([]);
    expect(state.issues.value.password).toContain('Passwords aren’t saved');
    await state.submitForm();
    expect(requests()).toEqual([
      { originalUrl: PAGE, customAlias: 'mine', title: 'My title', label: 'A page' },
    ]);
  });

  test('needs its password again each time, until the user enters one', async () => {
    await leaveForm();
    const second = await reopened();
    second.changeForm({ description: 'For the team' });
    await settle();
    const third = await reopened();
    expect(third.issues.value.password).toContain('Passwords aren’t saved');
    third.changeForm({ password: 'again' });
    expect(third.issues.value).toEqual({});
    await third.submitForm();
    expect(requests()).toMatchObject([{ password: 'again', description: 'For the team' }]);
  });

  test('belongs to its tab and its page', async () => {
    await leaveForm();
    expect((await reopened(2)).changedFields.value).toEqual({});
    expect((await reopened(1, 'https://example.com/other')).changedFields.value).toEqual({});
    // The tab has left the page.
    expect((await reopened()).changedFields.value).toEqual({});
  });

  test('of a typed URL is not restored for the page', async () => {
    const state = openPopup(PAGE);
    await state.start();
    state.typeUrl('https://example.com/other');
    await state.shortenTypedUrl();
    state.changeForm({ customAlias: 'other' });
    await settle();
    expect((await reopened()).changedFields.value).toEqual({});
    expect(sent.map(([kind]) => kind)).not.toContain('saveDraft');
  });
});

describe('a link can be changed in the popup', () => {
  const referenceOf = async (link: LinkRecord, options = {}) => {
    await save(link);
    const state = openPopup(PAGE, options);
    await state.start();
    const view = state.view.value;
    return view.name === 'link' ? view.reference : 'no link';
  };

  test('if it belongs to the account in use', async () => {
    expect(await referenceOf(LINK)).toEqual({
      serverOrigin: 'http://localhost:2878',
      shortUrl: LINK.shortUrl,
    });
  });

  test('unless the window is private, whose links are not in the list', async () => {
    expect(await referenceOf(LINK, { isPrivate: true })).toBeUndefined();
  });
});

describe('a link that is shown with its form', () => {
  const page = `${PAGE}?utm_source=letter`;

  /** A popup with the open form of a link, while the server is away. */
  async function openForm() {
    await save(LINK);
    const state = openPopup(page);
    await state.start();
    state.openForm();
    state.changeForm({ customAlias: 'mine' });
    const queued = { id: 'one', retryAtMs: 9e12 };
    answers.createLink = { ok: false, code: 'unreachable', queued };
    return state;
  }

  test('leaves no form behind for another link', async () => {
    const state = await openForm();
    await state.createAnother();
    expect(state.view.value.name).toBe('queued');
    expect([state.isFormOpen.value, state.changedFields.value]).toEqual([false, {}]);
  });

  test('does not fill the form of another link', async () => {
    await saveSettings({ optionsFirst: true });
    const state = await openForm();
    await state.createAnother();
    expect(state.view.value.name).toBe('ready');
    expect([state.isFormOpen.value, state.changedFields.value]).toEqual([false, {}]);
  });

  test('leaves no form behind for another form of the URL', async () => {
    const state = await openForm();
    await state.useFullUrl();
    expect(state.view.value.name).toBe('queued');
    expect(state.isFormOpen.value).toBe(false);
  });
});

describe('a late answer to "Undo"', () => {
  const other = {
    ...LINK,
    shortUrl: 'https://curt.example/b',
    id: 'b',
  };

  test('does not change the view of another link', async () => {
    answers.createLink = { ok: true, data: LINK };
    const answer = Promise.withResolvers<unknown>();
    answers.call = answer.promise;
    const state = openPopup(PAGE);
    await state.start();
    const undone = state.undoCreate();
    answers.createLink = { ok: true, data: other };
    state.typeUrl('https://example.com/other');
    await state.shortenTypedUrl();
    answer.resolve({ ok: true, data: true });
    await undone;
    expect(state.view.value).toMatchObject({ name: 'link', link: other });
  });
});
