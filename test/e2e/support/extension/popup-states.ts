import type { Page } from 'puppeteer-core';
import type { PendingConfirmation } from '../../../../extension/messaging/protocol.ts';
import { ABOUT_CONFIRMATION } from '../../../../extension/urls/extension-pages.ts';
import { createClient } from '../../../../shared/client.ts';
import { openParts } from '../checks/rules-editor.ts';
import { startAppServer } from '../servers/app-server.ts';
import { startFlakyProxy } from '../servers/flaky-proxy.ts';
import { freePort } from '../servers/free-port.ts';
import {
  clickOn,
  type Fixture,
  fillUrl,
  inWorker,
  SHORTEN,
  saveSettings,
} from './extension-fixture.ts';

declare const chrome: typeof import('wxt/browser').browser;

/** What the popup shows after actions of the user. */
type Step = {
  name: string;
  /** The user's actions. */
  reach?: (popup: Page, fixture: Fixture) => Promise<void>;
};

export type PopupState = Step & {
  settings?: (fixture: Fixture) => object | Promise<object>;
  /** The URL that the popup is opened for. @default a page of the site */
  address?: (fixture: Fixture) => string;
  /** The extension's stored tokens by server. */
  tokens?: (fixture: Fixture) => Record<string, string>;
  /** The server doesn't respond while the state is inspected. */
  hangs?: boolean;
  /** Starts a separate server with these settings. */
  server?: Record<string, string>;
  /** Runs in the popup before its own scripts. */
  before?: () => void;
  /** Selectors that match when the popup has reached its first state. */
  shown: string;
  /** Another state with the same parts and other words: in a further language, it shows whether they fit. */
  alike?: string;
  /** What the user reaches from there, one after the other: opening a popup takes longer. */
  next?: Step[];
};

const LINK = '.stage-link .icon-check';
const ERROR = '.stage-failed .icon-alert';
const QUEUED = '.stage-queued .icon-wait';
const QR_BUTTON = '.stage-link [aria-controls]';

/**
 * Every state of the popup, grouped by the popup that reaches them. They are recognized by selectors,
 * since texts depend on the language.
 */
export const POPUP_STATES: PopupState[] = [
  { name: 'working', hangs: true, shown: '.busy' },
  {
    name: 'done',
    shown: LINK,
    next: [
      {
        name: 'done, with the QR code',
        async reach(popup) {
          await clickOn(popup, QR_BUTTON);
          await popup.waitForSelector('.qr-dark[d^=M]');
        },
      },
      {
        name: 'done, with the alias edited in place',
        async reach(popup) {
          await clickOn(popup, QR_BUTTON);
          await popup.waitForSelector('.qr-dark', { hidden: true });
          await clickOn(popup, '.alias');
          await popup.waitForSelector('.alias-editor');
          // Unchanged, it closes when it loses the focus.
          await popup.keyboard.type('another-alias');
        },
      },
    ],
  },
  {
    name: 'done, but not copied',
    alike: 'done',
    before: () =>
      Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('denied')) }),
    shown: '.stage-link .status .icon-alert',
  },
  {
    name: 'an existing link',
    shown: LINK,
    async reach(popup) {
      await fillUrl(popup, 'example.com/existing');
      await popup.keyboard.press('Enter');
      await popup.waitForSelector('.target[title="https://example.com/existing"]');
      await popup.waitForSelector('.url-form > button');
      await fillUrl(popup, 'example.com/existing');
      await popup.keyboard.press('Enter');
      await popup.waitForSelector('.link-bar .button + .button');
    },
    next: [
      {
        name: 'an invalid URL',
        async reach(popup) {
          await fillUrl(popup, 'just some words');
          await popup.keyboard.press('Enter');
          await popup.waitForSelector('.url-form .issue');
        },
      },
    ],
  },
  {
    name: 'done, without tracking parameters',
    address: ({ page }) => `${page.url()}?utm_source=letter&utm_campaign=spring-and-summer&q=1`,
    shown: `${LINK}, .url-change`,
    next: [
      {
        name: 'done, and undone',
        async reach(popup) {
          await clickOn(popup, '.status-line .link-button');
          await popup.waitForSelector('.stage-deleted .actions');
        },
      },
    ],
  },
  { name: 'done, with all facts', shown: LINK, reach: createWithAll },
  {
    name: 'ready',
    alike: 'ready, without tracking parameters',
    settings: () => ({ optionsFirst: true }),
    shown: '.stage-ready',
  },
  {
    name: 'ready, without tracking parameters',
    settings: () => ({ optionsFirst: true }),
    address: ({ page }) => `${page.url()}?utm_source=letter&fbclid=abc`,
    shown: '.stage-ready .url-change',
  },
  {
    name: 'the form',
    shown: LINK,
    reach: openForm,
    next: [
      { name: 'the form, with all of its fields', reach: openParts },
      {
        name: 'the form, with a custom expiry',
        async reach(popup) {
          await clickOn(popup, '[value=custom]');
          await popup.waitForSelector('.pair');
        },
      },
      {
        name: 'the form, with a date in the past',
        async reach(popup) {
          const field = await popup.waitForSelector('[name=expiresAt]');
          await field?.evaluate((input) => {
            (input as HTMLInputElement).value = '2020-01-01T00:00';
            input.dispatchEvent(new Event('input', { bubbles: true }));
          });
          await submit(popup, '[name=expiresAt][aria-invalid=true]');
        },
      },
    ],
  },
  {
    name: 'the form, with an invalid value',
    shown: LINK,
    async reach(popup) {
      await openForm(popup);
      await openParts(popup);
      await popup.type('[name=waitTimer]', '301');
      await submit(popup, '.issue');
    },
  },
  {
    name: 'the form, with a taken alias',
    shown: LINK,
    async reach(popup, { server }) {
      const body = { originalUrl: 'https://example.com/', customAlias: 'a-taken-alias' };
      await createClient(server).createLink({ body });
      await openForm(popup);
      await popup.$eval('.prefixed .input', (input) => (input as HTMLInputElement).select());
      await popup.keyboard.type('a-taken-alias');
      await submit(popup, '.chip');
    },
  },
  {
    name: 'the first run',
    settings: async () => ({ serverOrigin: `http://localhost:${await freePort()}` }),
    shown: `${QUEUED}, .queue`,
  },
  {
    name: 'queued',
    settings: async () => ({ serverOrigin: `http://localhost:${await freePort()}` }),
    tokens: ({ server }) => ({ [server.baseUrl]: 'curt_here-and-now' }),
    shown: `${QUEUED}, .queue`,
    next: [
      {
        name: 'queued, with the queue open',
        async reach(popup) {
          await shortenOther(popup, `example.com/${'long/'.repeat(40)}`);
          await popup.$eval('.queue .disclosure', (one) => (one as HTMLElement).click());
          await popup.waitForSelector('.queue-row + .queue-row');
        },
      },
    ],
  },
  {
    name: 'queued, over an unencrypted connection',
    settings: () => ({ serverOrigin: 'http://a-long-name-of-a-server.curt.example:2878' }),
    shown: `${QUEUED}, .notice-warning`,
  },
  {
    name: 'rate limited',
    server: { RATE_LIMIT_PER_MINUTE: '1' },
    shown: LINK,
    async reach(popup) {
      for (const path of ['a', 'b']) await shortenOther(popup, `example.com/${path}`);
      await popup.waitForSelector('.limit + .limit');
    },
  },
  {
    name: 'over the monthly quota',
    alike: 'rate limited',
    server: { MONTHLY_QUOTA: '1' },
    shown: LINK,
    async reach(popup) {
      await shortenOther(popup, 'example.com/a');
      await popup.waitForSelector('.limit + .limit');
    },
  },
  {
    name: 'an error, with a required token',
    alike: 'an error, with an unknown token',
    server: { ANONYMOUS: 'off' },
    shown: ERROR,
  },
  {
    name: 'an error, with an unknown token',
    tokens: ({ server }) => ({ [server.baseUrl]: `curt_${'x'.repeat(43)}` }),
    shown: ERROR,
  },
  {
    name: 'an unsupported page',
    address: () => 'chrome://version/',
    shown: '.stage-unsupported .status-title',
  },
  {
    name: 'a warning about a secret',
    address: ({ page }) => `${page.url()}?access_token=q8Zr2LmX0vNf4TbK9sYd`,
    shown: '.stage-secret .button',
  },
  {
    name: 'the extension failed',
    alike: 'an error, with an unknown token',
    // As when the browser can't start the worker.
    before: () =>
      Object.assign(chrome.runtime, { sendMessage: () => Promise.reject(new Error('no worker')) }),
    shown: ERROR,
  },
];

/**
 * Turns the active tab into the popup, as in the window that a notification opens: unlike a real popup,
 * it can have any size and stays open. No new tab, since one takes longer than the popup itself.
 *
 * @param inspect looks at each state that is reached, and leaves the popup as it was, apart from the focus
 */
export async function openInState(
  fixture: Fixture,
  state: PopupState,
  inspect: (popup: Page, name: string) => Promise<void>,
) {
  const proxy = state.hangs ? await startFlakyProxy(fixture.server.baseUrl) : undefined;
  if (proxy) proxy.holds = SHORTEN;
  const server = state.server && (await startAppServer({ env: state.server }));
  const popup = fixture.page;
  try {
    await saveSettings(fixture, {
      serverOrigin: proxy?.origin ?? server?.baseUrl ?? fixture.server.baseUrl,
      ...(await state.settings?.(fixture)),
    });
    const pendingConfirmation: PendingConfirmation = {
      id: 'pending',
      url: state.address?.(fixture) ?? fixture.page.url(),
      title: 'A page',
      isPrivate: false,
    };
    await inWorker(
      fixture,
      (pending, accountTokens) =>
        Promise.all([
          chrome.storage.session.set({ pendingConfirmation: pending }),
          chrome.storage.local.set({ accountTokens }),
        ]),
      pendingConfirmation,
      state.tokens?.(fixture) ?? {},
    );
    if (state.before) await popup.evaluateOnNewDocument(state.before);
    await popup.setViewport({ width: 360, height: 600 });
    await popup.goto(
      `chrome-extension://${fixture.chromium.extensionId}/popup.html${ABOUT_CONFIRMATION}`,
    );
    for (const selector of state.shown.split(', ')) await popup.waitForSelector(selector);
    for (const { name, reach } of [state, ...(state.next ?? [])]) {
      await reach?.(popup, fixture);
      // Elsewhere the sticky end of a form may cover a half of a control, which looks too small then.
      await popup.$$eval('.form-end', ([end]) =>
        end?.parentElement?.scrollIntoView({ block: 'end' }),
      );
      await inspect(popup, name);
    }
  } finally {
    await popup.close();
    await proxy?.stop();
    await server?.stop();
  }
}

/** Shortens another URL and waits for the result. */
async function shortenOther(popup: Page, address: string): Promise<void> {
  await fillUrl(popup, address);
  await popup.keyboard.press('Enter');
  await popup.waitForFunction(
    () =>
      !document.querySelector<HTMLInputElement>('.url-form .input')?.value &&
      !document.querySelector('.busy'),
  );
}

async function openForm(popup: Page): Promise<void> {
  await clickOn(popup, '.link-bar .disclosure');
  await popup.waitForSelector('form.link-form');
}

async function submit(popup: Page, shown: string): Promise<void> {
  await popup.$eval('form.link-form', (form) => (form as HTMLFormElement).requestSubmit());
  await popup.waitForSelector(shown);
}

async function createWithAll(popup: Page): Promise<void> {
  await openForm(popup);
  await openParts(popup);
  await popup.type('[type=password]', 'open sesame');
  await popup.type('[name=waitTimer]', '7');
  await clickOn(popup, '[value=custom]');
  await popup.waitForSelector('.pair');
  await popup.type('.pair .input', '3');
  await submit(popup, '.fact:nth-of-type(4)');
}
