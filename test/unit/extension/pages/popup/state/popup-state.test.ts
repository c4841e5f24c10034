import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { readSettings } from '../../../../../../extension/background/data/settings.ts';
import { resolveUrl } from '../../../../../../extension/background/shorten/resolve-target.ts';
import type { LinkSummary } from '../../../../../../extension/links/link.ts';
import type { Send, ShortenTarget } from '../../../../../../extension/messaging/protocol.ts';
import {
  removeSecret,
  shortenTypedUrl,
} from '../../../../../../extension/pages/popup/state/change-url.ts';
import { fieldsFor } from '../../../../../../extension/pages/popup/state/form-fields.ts';
import { createPopupState } from '../../../../../../extension/pages/popup/state/popup-state.ts';
import { watchQueue } from '../../../../../../extension/pages/popup/state/queued-requests.ts';
import { submitForm } from '../../../../../../extension/pages/popup/state/submit-form.ts';
import { speak } from '../../../support/speak.ts';

const PAGE = 'https://example.com/page';
const SECRET_PAGE = `${PAGE}?access_token=q8Zr2LmX0vNf4TbK9sYd`;
const LINK: LinkSummary = {
  shortUrl: 'https://curt.example/a',
  originalUrl: PAGE,
  title: '',
  created: '2030-01-01T00:00:00.000Z',
  expiresAt: null,
  hasPassword: false,
  waitTimerSeconds: 0,
};

/** The payloads of messages to the background. */
type Payload = { url?: string; text?: string; request?: object; reuseExisting?: boolean };
let sent: [kind: string, payload: Payload][];
let answers: Record<string, unknown>;

beforeEach(() => {
  fakeBrowser.reset();
  speak('en');
  sent = [];
  answers = { createLink: { ok: true, data: LINK } };
});

function openPopup(url: string, existing?: LinkSummary, pageLinks = existing ? [existing] : []) {
  const send = (async (kind: string, payload: Payload) => {
    sent.push([kind, payload]);
    if (kind !== 'startPopup' && kind !== 'startUrl') return answers[kind];
    const settings = await readSettings();
    const target = resolveUrl(payload.url ?? payload.text, settings) as ShortenTarget;
    const found = kind === 'startPopup' && existing;
    const links = kind === 'startPopup' ? pageLinks : [];
    return { ok: true, data: { settings, target, links, ...(found && { existing }) } };
  }) as unknown as Send;
  const page = Promise.resolve({ url, title: 'A page', isPrivate: false });
  return createPopupState(page, { send, popupId: 'popup', copy: async () => true });
}

const requests = () =>
  sent.filter(([kind]) => kind === 'createLink').map(([, payload]) => payload.request);

describe('a secret in the URL of a form', () => {
  const fields = { ...fieldsFor('A page'), alias: 'mine', password: 'swordfish' };

  test('is removed from the form’s request, which keeps all other values', async () => {
    const state = openPopup(SECRET_PAGE, LINK);
    await state.start();
    await submitForm(state, fields);
    expect(state.view.value.name).toBe('secret');
    await removeSecret(state);
    expect(requests()).toEqual([
      { originalUrl: PAGE, customAlias: 'mine', password: 'swordfish', title: 'A page' },
    ]);
    expect(state.view.value.name).toBe('link');
  });

  test('is also removed from a plain link', async () => {
    const state = openPopup(SECRET_PAGE);
    await state.start();
    await removeSecret(state);
    expect(requests()).toEqual([{ originalUrl: PAGE }]);
  });
});

test('another link is created only on request', async () => {
  const state = openPopup(PAGE);
  await state.start();
  await state.createAnother();
  expect(
    sent.flatMap(([kind, payload]) => (kind === 'createLink' ? [payload.reuseExisting] : [])),
  ).toEqual([true, false]);
});

describe('a server that doesn’t respond', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is slow after three seconds, until it responds', async () => {
    const answer = Promise.withResolvers<unknown>();
    answers.createLink = answer.promise;
    const state = openPopup(PAGE);
    const started = state.start();
    await vi.advanceTimersByTimeAsync(2900);
    expect(state.isSlow.value).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(state.view.value.name).toBe('working');
    expect(state.isSlow.value).toBe(true);
    answer.resolve({ ok: true, data: LINK });
    await started;
    expect(state.isSlow.value).toBe(false);
  });

  test('is not slow once it has responded', async () => {
    const state = openPopup(PAGE);
    await state.start();
    await vi.advanceTimersByTimeAsync(10_000);
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
    await watchQueue(state);
    expect(state.view.value.name).toBe('queued');
  });

  test('is no longer shown when it is discarded elsewhere', async () => {
    answers.readQueue = { ok: true, data: [] };
    const state = openPopup(PAGE);
    await state.start();
    await watchQueue(state);
    expect(state.view.value.name).toBe('ready');
  });
});

describe('the other links of a page', () => {
  const locked = { ...LINK, shortUrl: 'https://curt.example/locked', hasPassword: true };

  test('are listed beside a new one, which is still created', async () => {
    const state = openPopup(PAGE, undefined, [locked]);
    await state.start();
    expect(requests()).toEqual([{ originalUrl: PAGE }]);
    expect(state.view.value).toMatchObject({ name: 'link', link: LINK, isExisting: false });
    expect(state.otherLinks.value).toEqual([locked]);
  });

  test('switch places with the one that is shown', async () => {
    const state = openPopup(PAGE, undefined, [locked]);
    await state.start();
    await state.showLink(locked, { isExisting: true });
    expect(state.view.value).toMatchObject({ name: 'link', link: locked, copy: 'done' });
    expect(state.otherLinks.value).toEqual([LINK]);
  });

  test('belong to the current URL', async () => {
    const state = openPopup(PAGE, LINK, [LINK, locked]);
    await state.start();
    expect(state.otherLinks.value).toEqual([locked]);
    state.address.value = 'https://example.com/other';
    await shortenTypedUrl(state);
    expect(state.otherLinks.value).toEqual([]);
  });
});
