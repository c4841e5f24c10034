import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { newFolder } from '../../../support/new-folder.ts';
import { findViolations } from '../../support/checks/accessibility.ts';
import { nameOfFocused, tabTo } from '../../support/checks/walk-by-keyboard.ts';
import { openAccount } from '../../support/dashboard/dashboard-fixture.ts';
import {
  clickOn,
  control,
  dialogIsGone,
  expectStatus,
  fieldValue,
  fill,
  issueOf,
  labels,
  openPopup,
  press,
  saveSettings,
  shownLink,
  stored,
  useFixture,
} from '../../support/extension/extension-fixture.ts';
import { expectText as expectTextOf } from '../../support/extension/links-page.ts';
import { startAppServer } from '../../support/servers/app-server.ts';
import { freePort } from '../../support/servers/free-port.ts';

const fixture = useFixture();
let options: Page;

beforeEach(async () => {
  options = await openOptions();
});
afterEach(() => options.close());

describe('the server’s address', () => {
  test('is saved, and the popup uses it', async () => {
    await saveSettings(fixture, { serverOrigin: 'http://localhost:1' });
    await reopen();
    await fill(options, 'Server address', `  ${fixture.server.baseUrl}/some/page `);
    await press(options, 'Save');
    await expectText('Saved.');
    await expect.poll(() => fieldValue(options, 'Server address')).toBe(fixture.server.baseUrl);
    await shownLink(await openPopup(fixture), 'Short link copied');
  });

  test.each([
    ['not a URL', 'This isn’t a valid address.'],
    ['ftp://curt.example', 'must start with https:// or http://'],
    ['https://me:secret@curt.example', 'must not contain a username'],
  ])('%s is rejected with a reason, and the old one is kept', async (address, sentence) => {
    await fill(options, 'Server address', address);
    await press(options, 'Save');
    await expectText(sentence);
    await expect.poll(() => issueOf(options, 'Server address')).toContain(sentence);
    expect((await stored(fixture)).settings.serverOrigin).toBe(fixture.server.baseUrl);
  });

  test('is saved when the field loses focus, if it is valid', async () => {
    await saveSettings(fixture, { serverOrigin: 'http://localhost:1' });
    await reopen();
    await fill(options, 'Server address', 'nowhere at all');
    await options.focus('[name=other-token]');
    await expectText('This isn’t a valid address.');
    expect((await stored(fixture)).settings.serverOrigin).toBe('http://localhost:1');
    await fill(options, 'Server address', `${fixture.server.baseUrl}/some/page`);
    await options.focus('[name=other-token]');
    await expectText('Saved.');
    expect((await stored(fixture)).settings.serverOrigin).toBe(fixture.server.baseUrl);
  });

  test.each([
    ['does not respond', async () => `http://localhost:${await freePort()}`],
    ['is not Curt', async () => fixture.site.origin],
  ])('of a server that %s is saved only after a question', async (_, addressOf) => {
    const address = await addressOf();
    const { host } = new URL(address);
    const current = new URL(fixture.server.baseUrl).host;
    await fill(options, 'Server address', address);
    await press(options, 'Save');
    await expectText(`Use ${host} anyway? Until you decide, ${current} stays in use.`);
    expect(await text()).not.toContain('Saved.');
    expect((await stored(fixture)).settings.serverOrigin).toBe(fixture.server.baseUrl);
    expect(await findViolations(options)).toEqual([]);
    await press(options, `Keep ${current}`);
    await expect.poll(() => fieldValue(options, 'Server address')).toBe(fixture.server.baseUrl);

    await fill(options, 'Server address', address);
    await press(options, 'Save');
    await press(options, 'Use it anyway');
    await expectText('Saved.');
    expect((await stored(fixture)).settings.serverOrigin).toBe(address);
    await expect.poll(text).not.toContain('anyway');
  });

  test('can be the new one of the same server, and account and links come along', async () => {
    const folder = await newFolder();
    const before = await startAppServer({ folder });
    onTestFinished(async () => void (await before.stop()));
    await saveSettings(fixture, { serverOrigin: before.baseUrl });
    const shortUrl = await shownLink(await openPopup(fixture), 'Short link copied');
    const token = (await stored(fixture)).accountTokens[before.baseUrl];
    await before.stop();
    const after = await startAppServer({ folder });
    onTestFinished(async () => void (await after.stop()));
    await reopen();
    await fill(options, 'Server address', after.baseUrl);
    await press(options, 'Save');
    await expectText('Your account, saved links and queued requests there come along.');
    await press(options, 'Use the new address');
    await expect
      .poll(async () => (await stored(fixture)).settings.serverOrigin)
      .toBe(after.baseUrl);
    const { accountTokens, savedLinks = {} } = await stored(fixture);
    expect(accountTokens).toEqual({ [after.baseUrl]: token });
    const moved = savedLinks[after.baseUrl]?.map(({ alias }) => alias);
    expect(moved).toEqual([new URL(shortUrl).pathname.slice(1)]);
    const { status } = await fetch(`${after.baseUrl}/${moved?.[0]}`, { redirect: 'manual' });
    expect(status).toBe(302);
  });

  test('without encryption shows a warning, except on this computer', async () => {
    await expectText('its links only work here');
    expect(await text()).not.toContain('isn’t encrypted');
    await fill(options, 'Server address', 'http://192.0.2.1:2878');
    await expectText('The connection to 192.0.2.1:2878 isn’t encrypted');
  });
});

describe('the connection', () => {
  test('to the server in use is shown with its version and the rest of the quota', async () => {
    await shownLink(await openPopup(fixture), 'Short link copied');
    await reopen();
    await expectText(`Connected to Curt ${packageJson.version}.`);
    await expectText('999 of 1,000 links left this month.');
  });

  test('to an unreachable server names likely causes and offers to open it in a tab', async () => {
    const address = `http://localhost:${await freePort()}`;
    await fill(options, 'Server address', address);
    await press(options, 'Save');
    await expectText('isn’t responding');
    await expectText('Check the name and the port');
    await expect.poll(() => labels(options)).toContain('Open in a tab');
    expect(await options.$eval('.test-result a', (link) => link.href)).toBe(`${address}/`);
  });
});

describe('the account', () => {
  let token: string;
  const code = () => `curt:${fixture.server.baseUrl}#${token}`;

  beforeEach(async () => {
    await shownLink(await openPopup(fixture), 'Short link copied');
    token = (await stored(fixture)).accountTokens[fixture.server.baseUrl] as string;
    await reopen();
  });

  test('has a sign-in key, which is in the page only while it is shown', async () => {
    await control(options, 'Sign-in key');
    expect(await wholePage()).not.toContain(token);
    await press(options, 'Show');
    await expect.poll(() => fieldValue(options, 'Sign-in key')).toBe(code());
    // The button's label tells its state: aria-pressed would announce it twice.
    expect(await options.$$('[aria-pressed]')).toEqual([]);
    await press(options, 'Hide');
    await expect.poll(() => fieldValue(options, 'Sign-in key')).toMatch(/^•+$/);
    expect(await wholePage()).not.toContain(token);
  });

  test('shows its sign-in key as a QR code, without its text', async () => {
    await press(options, 'QR code');
    await options.waitForSelector('[role=img][aria-label="Sign-in key as a QR code"] .qr-dark');
    expect(await wholePage()).not.toContain(token);
    await press(options, 'QR code');
    await options.waitForSelector('[role=img]', { hidden: true });
  });

  test('can copy its sign-in key without showing it', async () => {
    await press(options, 'Copy');
    await expectText('Sign-in key copied.');
    expect(await wholePage()).not.toContain(token);
    expect(await fixture.chromium.readClipboard()).toBe(code());
  });

  test.each(['the token', 'the token with its server'])(
    'gives way to another by %s, and is kept for the way back',
    async (form) => {
      const { authToken: other } = await openAccount(fixture.server);
      await fill(
        options,
        'Another sign-in key',
        form === 'the token' ? other : `curt:${fixture.server.baseUrl}#${other}`,
      );
      await press(options, 'Switch account');
      await expectText('Curt uses it from now on. The old key is kept below.');
      expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: other });

      await clickOn(options, 'summary');
      await clickOn(options, '[aria-label^="Use again"]');
      await expectText('The old key is in use again.');
      expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: token });
      await expect.poll(previousTokens).toEqual([other]);
    },
  );

  test('is removed only after confirmation, which makes room for a first one', async () => {
    await press(options, 'Remove sign-in key…');
    await options.waitForSelector('dialog[open]');
    await press(options, 'Cancel');
    await dialogIsGone(options);
    expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: token });

    await press(options, 'Remove sign-in key…');
    await options.waitForSelector('dialog[open]');
    await press(options, 'Remove sign-in key');
    await expectText('Sign-in key removed.');
    await expectText('No sign-in key yet.');
    expect((await stored(fixture)).accountTokens).toEqual({});
    await expect.poll(focused).toBe('Account');
    await fill(options, 'Sign-in key', code());
    await press(options, 'Use it');
    await expectText('Curt uses it from now on.');
    await control(options, 'Another sign-in key');
    expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: token });
  });

  test('that was replaced is removed only after confirmation', async () => {
    const { authToken: other } = await openAccount(fixture.server);
    await fill(options, 'Another sign-in key', other);
    await press(options, 'Switch account');
    await expectText('The old key is kept below.');
    await clickOn(options, 'summary');
    await options.locator('.list [aria-label^="Remove…"]').click();
    await options.waitForSelector('dialog[open]');
    await press(options, 'Remove sign-in key');
    await expectText('Sign-in key removed.');
    await expect.poll(previousTokens).toEqual([]);
    await expect.poll(focused).toBe('Account');
  });

  test('of another server switches to it after confirmation', async () => {
    const second = await startAppServer();
    try {
      const { authToken: other } = await openAccount(second);
      const { host } = new URL(second.baseUrl);
      const otherCode = `curt:${second.baseUrl}#${other}`;
      await fill(options, 'Another sign-in key', otherCode);
      await press(options, 'Switch account');
      await expectText(`Switch to ${host}?`);
      expect(await findViolations(options)).toEqual([]);
      await options.keyboard.press('Escape');
      await dialogIsGone(options);
      expect((await stored(fixture)).settings.serverOrigin).toBe(fixture.server.baseUrl);

      await press(options, 'Switch account');
      await options.waitForSelector('dialog[open]');
      await press(options, 'Check and switch');
      await expectText('Curt uses it from now on.');
      await expect.poll(() => fieldValue(options, 'Server address')).toBe(second.baseUrl);
      expect(await stored(fixture)).toMatchObject({
        settings: { serverOrigin: second.baseUrl },
        accountTokens: { [second.baseUrl]: other, [fixture.server.baseUrl]: token },
      });

      // And back: the first server's token was kept.
      await press(options, `Switch account: ${new URL(fixture.server.baseUrl).host}`);
      await expect.poll(() => fieldValue(options, 'Server address')).toBe(fixture.server.baseUrl);
      await expect
        .poll(async () => (await stored(fixture)).settings.serverOrigin)
        .toBe(fixture.server.baseUrl);
      await press(options, `Remove the account on ${host}`);
      await options.waitForSelector('dialog[open]');
      await press(options, 'Remove sign-in key');
      await expectText('Sign-in key removed.');
      expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: token });
    } finally {
      await second.stop();
    }
  });

  test.each([
    [`curt_${'y'.repeat(43)}`, 'The server doesn’t recognize this key.'],
    ['two words', 'This isn’t a sign-in key.'],
  ])('is kept when %s is pasted', async (other, sentence) => {
    await fill(options, 'Another sign-in key', other);
    await press(options, 'Switch account');
    await expectText(sentence);
    expect((await stored(fixture)).accountTokens).toEqual({ [fixture.server.baseUrl]: token });
  });
});

test('toggles are saved at once', async () => {
  await clickOn(options, '[name=optionsFirst]');
  await clickOn(options, '[name=copyAtOnce]');
  await expect
    .poll(async () => (await stored(fixture)).settings)
    .toEqual({ serverOrigin: fixture.server.baseUrl, optionsFirst: true, copyAtOnce: false });
  await expectStatus(await openPopup(fixture), 'Ready to shorten this page');
});

test('every control works with the keyboard alone', async () => {
  const { keyboard } = options;
  // All controls are there.
  await expectText('Connected to Curt');
  await expectText('No sign-in key yet.');
  const controls = await options.$$eval('main :is(a, button, input, select)', (all) => all.length);
  const reached: string[] = [];
  for (let presses = 0; presses < controls; presses++) {
    await keyboard.press('Tab');
    reached.push(await nameOfFocused(options));
    if (reached.at(-1) === 'Set options first') await keyboard.press('Space');
  }
  expect(new Set(reached).size).toBe(controls);
  await expectText('Saved.');
  expect((await stored(fixture)).settings).toMatchObject({ optionsFirst: true });

  await tabTo(options, 'Delete all data…');
  await keyboard.press('Enter');
  await options.waitForSelector('dialog[open]');
  await expect.poll(() => nameOfFocused(options)).toBe('Cancel');
  await keyboard.press('Tab');
  await expect.poll(() => nameOfFocused(options)).toBe('Delete all data');
  await keyboard.press('Escape');
  await dialogIsGone(options);
  await expect.poll(() => nameOfFocused(options)).toBe('Delete all data…');
});

async function previousTokens(): Promise<string[]> {
  const { previousTokens: previous } = (await stored(fixture)) as unknown as {
    previousTokens: Record<string, { token: string }[]>;
  };
  return (previous[fixture.server.baseUrl] ?? []).map(({ token }) => token);
}

function focused(): Promise<string> {
  return options.evaluate(() => document.activeElement?.textContent ?? '');
}

async function openOptions(): Promise<Page> {
  const page = await fixture.chromium.openExtensionPage('options.html');
  await page.waitForSelector('main');
  return page;
}

async function reopen(): Promise<void> {
  await options.reload();
  await options.waitForSelector('main');
  await options.bringToFront();
  // The focus comes a moment later. Without it, the page neither copies nor saves what is left.
  await options.waitForFunction(() => document.hasFocus());
}

function expectText(words: string): Promise<void> {
  return expectTextOf(options, words);
}

function text(): Promise<string> {
  return options.$eval('main', (main) => main.textContent ?? '');
}

/** The page's markup and the values of all fields. */
function wholePage(): Promise<string> {
  return options.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input')].map(({ value }) => value),
    ].join('\n'),
  );
}
