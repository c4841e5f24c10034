import type { Page } from 'puppeteer-core';
import type { PendingConfirmation } from '../../../extension/messaging/protocol.ts';
import { createClient } from '../../../shared/client.ts';
import {
  type Fixture,
  freePort,
  inWorker,
  openAdvanced,
  saveSettings,
} from './extension-fixture.ts';
import { type HoldingProxy, startHoldingProxy } from './holding-proxy.ts';
import { startServer } from './server.ts';

declare const chrome: typeof import('wxt/browser').browser;

const WAIT = { timeout: 15_000 };

export type PopupState = {
  name: string;
  settings?: (fixture: Fixture) => object | Promise<object>;
  /** What the popup is about. @default a page of the site */
  address?: (fixture: Fixture) => string;
  /** Tokens that the extension has. */
  tokens?: (fixture: Fixture) => Record<string, string>;
  /** The server's answer is waited for, for as long as the state is looked at. */
  isHeld?: boolean;
  /** Settings of a server of the state's own. */
  server?: Record<string, string>;
  /** Runs in the popup before anything of its own. */
  before?: () => void;
  /** Matches once the popup has got this far by itself. */
  shown: string;
  /** What a person does from there on. */
  reach?: (popup: Page, fixture: Fixture) => Promise<void>;
};

const MADE = '.stage-link .icon-check';
const REFUSED = '.stage-failed .icon-alert';
const KEPT = '.stage-queued .icon-wait';

/** All that the popup can show. Words are left to the languages: what is shown is told by its place. */
export const POPUP_STATES: PopupState[] = [
  { name: 'working', isHeld: true, shown: '.busy' },
  { name: 'done', shown: MADE },
  {
    name: 'done, and not copied',
    before: () =>
      Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('denied')) }),
    shown: '.stage-link .status .icon-alert',
  },
  {
    name: 'done before',
    shown: MADE,
    async reach(popup) {
      await popup.click('.address-form .input');
      await popup.keyboard.type('example.com/done-before');
      await popup.keyboard.press('Enter');
      await popup.waitForSelector('.target[title="https://example.com/done-before"]', WAIT);
      await popup.click('.address-form .input');
      await popup.keyboard.type('example.com/done-before');
      await popup.keyboard.press('Enter');
      await popup.waitForSelector('.options-bar .button + .button', WAIT);
    },
  },
  {
    name: 'done, its address cleaned',
    address: ({ page }) => `${page.url()}?utm_source=letter&utm_campaign=spring-and-summer&q=1`,
    shown: `${MADE}, .url-change`,
  },
  { name: 'done, with all facts', shown: MADE, reach: makeWithAll },
  {
    name: 'done, with the QR code',
    shown: MADE,
    async reach(popup) {
      await popup.click('[aria-controls]');
      await popup.waitForSelector('.qr-dark[d^=M]', WAIT);
    },
  },
  {
    name: 'ready',
    settings: () => ({ shortenAtOnce: false }),
    shown: '.stage-ready',
  },
  {
    name: 'ready, with a cleaned address',
    settings: () => ({ shortenAtOnce: false }),
    address: ({ page }) => `${page.url()}?utm_source=letter&fbclid=abc`,
    shown: '.stage-ready .url-change',
  },
  { name: 'the form', shown: MADE, reach: openForm },
  {
    name: 'the form, with all of its fields',
    shown: MADE,
    async reach(popup) {
      await openForm(popup);
      await openAdvanced(popup);
    },
  },
  {
    name: 'the form, with a duration',
    shown: MADE,
    async reach(popup) {
      await openForm(popup);
      await popup.click('[value=duration]');
      await popup.waitForSelector('.pair', WAIT);
    },
  },
  {
    name: 'the form, with a date that is past',
    shown: MADE,
    async reach(popup) {
      await openForm(popup);
      await popup.click('[value=date]');
      const field = await popup.waitForSelector('[type=datetime-local]', WAIT);
      await field?.evaluate((input) => {
        (input as HTMLInputElement).value = '2020-01-01T00:00';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await submit(popup, '.issue');
    },
  },
  {
    name: 'the form, with issues',
    shown: MADE,
    async reach(popup) {
      await openForm(popup);
      await openAdvanced(popup);
      await popup.type('[type=number]', '301');
      await submit(popup, '.issue');
    },
  },
  {
    name: 'the form, its ending taken',
    shown: MADE,
    async reach(popup, { server }) {
      const request = { originalUrl: 'https://example.com/', customAlias: 'a-taken-ending' };
      await createClient(server).shorten(request);
      await openForm(popup);
      await popup.type('.prefixed .input', 'a-taken-ending');
      await submit(popup, '.chip');
    },
  },
  {
    name: 'the first run',
    settings: async () => ({ serverOrigin: `http://localhost:${await freePort()}` }),
    shown: `${KEPT}, .queue`,
  },
  {
    name: 'queued',
    settings: async () => ({ serverOrigin: `http://localhost:${await freePort()}` }),
    tokens: ({ server }) => ({ [server.baseUrl]: 'curt_here-and-now' }),
    shown: `${KEPT}, .queue`,
  },
  {
    name: 'kept, with the list of what waits',
    settings: async () => ({ serverOrigin: `http://localhost:${await freePort()}` }),
    tokens: ({ server }) => ({ [server.baseUrl]: 'curt_here-and-now' }),
    shown: `${KEPT}, .queue`,
    async reach(popup) {
      await shortenOther(popup, `example.com/${'long/'.repeat(40)}`);
      await popup.click('.queue .disclosure');
      await popup.waitForSelector('.queue-row + .queue-row', WAIT);
    },
  },
  {
    name: 'kept, over a connection without encryption',
    settings: () => ({ serverOrigin: 'http://a-long-name-of-a-server.curt.example:2878' }),
    shown: `${KEPT}, .notice-warning`,
  },
  {
    name: 'limited by the minute',
    server: { RATE_LIMIT_PER_MINUTE: '1' },
    shown: MADE,
    async reach(popup) {
      for (const path of ['a', 'b']) await shortenOther(popup, `example.com/${path}`);
      await popup.waitForSelector('.limit + .limit', WAIT);
    },
  },
  {
    name: 'limited by the month',
    server: { MONTHLY_QUOTA: '1' },
    shown: MADE,
    async reach(popup) {
      await shortenOther(popup, 'example.com/a');
      await popup.waitForSelector('.limit + .limit', WAIT);
    },
  },
  {
    name: 'failed, since the server wants a token',
    server: { ANONYMOUS: 'off' },
    shown: REFUSED,
  },
  {
    name: 'refused for its token',
    tokens: ({ server }) => ({ [server.baseUrl]: `curt_${'x'.repeat(43)}` }),
    shown: REFUSED,
  },
  {
    name: 'a page that cannot be shortened',
    address: () => 'chrome://version/',
    shown: '.stage-unsupported .status-title',
  },
  {
    name: 'asking about a secret',
    address: ({ page }) => `${page.url()}?access_token=q8Zr2LmX0vNf4TbK9sYd`,
    shown: '.stage-secret .button',
  },
  {
    name: 'an address that is none',
    shown: MADE,
    async reach(popup) {
      await popup.type('.address-form .input', 'just some words');
      await popup.keyboard.press('Enter');
      await popup.waitForSelector('.address-form .issue', WAIT);
    },
  },
  {
    name: 'the extension failed',
    // As it is when the browser has no worker to give.
    before: () =>
      Object.assign(chrome.runtime, { sendMessage: () => Promise.reject(new Error('no worker')) }),
    shown: REFUSED,
  },
];

/**
 * The popup in a tab, as it stands in the window that a notification opens: at any size, and for as
 * long as it is looked at.
 */
export async function openInState(
  fixture: Fixture,
  state: PopupState,
  look: (popup: Page) => Promise<void>,
) {
  const held: HoldingProxy | undefined = state.isHeld
    ? await startHoldingProxy(fixture.server.baseUrl)
    : undefined;
  const own = state.server && (await startServer({ env: state.server }));
  const popup = await fixture.chromium.browser.newPage();
  try {
    await saveSettings(fixture, {
      serverOrigin: held?.origin ?? own?.baseUrl ?? fixture.server.baseUrl,
      ...(await state.settings?.(fixture)),
    });
    const pendingConfirmation: PendingConfirmation = {
      id: 'asked',
      url: state.address?.(fixture) ?? fixture.page.url(),
      title: 'A page',
      isPrivate: false,
    };
    await inWorker(
      fixture,
      (wish, accountTokens) =>
        Promise.all([
          chrome.storage.session.set({ pendingConfirmation: wish }),
          chrome.storage.local.set({ accountTokens }),
        ]),
      pendingConfirmation,
      state.tokens?.(fixture) ?? {},
    );
    if (state.before) await popup.evaluateOnNewDocument(state.before);
    await popup.setViewport({ width: 360, height: 600 });
    await popup.goto(`chrome-extension://${fixture.chromium.extensionId}/popup.html#awaited`);
    await popup.bringToFront();
    for (const selector of state.shown.split(', ')) await popup.waitForSelector(selector, WAIT);
    await state.reach?.(popup, fixture);
    await look(popup);
  } finally {
    await popup.close();
    await held?.stop();
    await own?.stop();
  }
}

/** Shortens another address, and waits for what becomes of it. */
async function shortenOther(popup: Page, address: string): Promise<void> {
  await popup.click('.address-form .input');
  await popup.keyboard.type(address);
  await popup.keyboard.press('Enter');
  await popup.waitForFunction(
    () =>
      document.querySelector<HTMLInputElement>('.address-form .input')?.value === '' &&
      !document.querySelector('.busy'),
    WAIT,
  );
}

async function openForm(popup: Page): Promise<void> {
  await popup.click('.disclosure');
  await popup.waitForSelector('form.form', WAIT);
}

async function submit(popup: Page, shown: string): Promise<void> {
  await popup.$eval('form.form', (form) => (form as HTMLFormElement).requestSubmit());
  await popup.waitForSelector(shown, WAIT);
}

async function makeWithAll(popup: Page): Promise<void> {
  await openForm(popup);
  await popup.type('[type=password]', 'open sesame');
  await openAdvanced(popup);
  await popup.type('[type=number]', '7');
  await popup.click('[value=duration]');
  await popup.waitForSelector('.pair', WAIT);
  await popup.type('.pair .input', '3');
  await submit(popup, '.fact:nth-of-type(4)');
}
