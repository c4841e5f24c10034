import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client.ts';
import {
  fieldValue,
  fill,
  freePort,
  issueOf,
  keepTokens,
  labels,
  openPopup,
  press,
  saveSettings,
  says,
  shownLink,
  stored,
  useBench,
} from './support/extension-bench.ts';

const WAIT_MS = 15_000;

const bench = useBench();
let options: Page;

beforeEach(async () => {
  options = await openOptions();
});
afterEach(() => options.close());

describe('the server’s address', () => {
  test('is saved, and the popup uses it', async () => {
    await saveSettings(bench, { serverOrigin: 'http://localhost:1' });
    await reopen();
    await fill(options, 'Address', `  ${bench.server.baseUrl}/some/page `);
    await press(options, 'Save');
    await reads('Saved.');
    expect(await fieldValue(options, 'Address')).toBe(bench.server.baseUrl);
    await shownLink(await openPopup(bench), 'Short link copied');
  });

  test.each([
    ['not an address', 'This is not an address.'],
    ['ftp://curt.example', 'must begin with https:// or http://'],
    ['https://me:secret@curt.example', 'must not contain a user name'],
  ])('%s is refused with a sentence, and the old one stays', async (address, sentence) => {
    await fill(options, 'Address', address);
    await press(options, 'Save');
    await reads(sentence);
    expect(await issueOf(options, 'Address')).toContain(sentence);
    expect((await stored(bench)).settings.serverOrigin).toBe(bench.server.baseUrl);
  });

  test('without encryption is warned of, unless it is this computer’s', async () => {
    await reads('its links work here only');
    expect(await text()).not.toContain('is not encrypted');
    await fill(options, 'Address', 'http://192.0.2.1:2878');
    await reads('The connection to 192.0.2.1:2878 is not encrypted');
  });
});

describe('the connection test', () => {
  test('of a good server shows its version, and what is left of the limits', async () => {
    await shownLink(await openPopup(bench), 'Short link copied');
    await reopen();
    await press(options, 'Test connection');
    await reads('Connected to Curt 0.1.0.');
    await reads('999 of 1000 links left this month.');
    await reads('of 10000 calls left this minute.');
  });

  test('tries what stands in the field, saved or not', async () => {
    await fill(options, 'Address', `http://localhost:${await freePort()}`);
    await press(options, 'Test connection');
    await reads('does not answer');
    expect((await stored(bench)).settings.serverOrigin).toBe(bench.server.baseUrl);
  });

  test('of a server that is away names the causes, and offers to open it in a tab', async () => {
    const address = `http://localhost:${await freePort()}`;
    await fill(options, 'Address', address);
    await press(options, 'Test connection');
    await reads('The name or the port may be wrong');
    expect(await labels(options)).toContain('Open in a tab');
    expect(await options.$eval('a', (link) => link.href)).toBe(`${address}/`);
  });

  test('of another program says that it answers, but is not Curt', async () => {
    await fill(options, 'Address', bench.site.origin);
    await press(options, 'Test connection');
    await reads('answers, but not as Curt does');
  });

  test('of an older server says so', async () => {
    const older = createServer((_, response) => {
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'access-control-allow-origin': '*',
        })
        .end(JSON.stringify({ status: 'ok', service: 'curt', version: '0.0.9' }));
    });
    await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
    try {
      await fill(options, 'Address', `localhost:${(older.address() as AddressInfo).port}`);
      await press(options, 'Test connection');
      await reads('Connected to Curt 0.0.9, which is older than this extension');
    } finally {
      older.closeAllConnections();
      older.close();
    }
  });

  test('with a token that the server does not know says so', async () => {
    await keepTokens(bench, { [bench.server.baseUrl]: `curt_${'x'.repeat(43)}` });
    await press(options, 'Test connection');
    await reads('it does not know your token');
  });
});

describe('the account token', () => {
  let token: string;

  beforeEach(async () => {
    await shownLink(await openPopup(bench), 'Short link copied');
    token = (await stored(bench)).accountTokens[bench.server.baseUrl] as string;
    await reopen();
  });

  test('is not in the page until it is shown, nor after it is hidden', async () => {
    expect(await wholePage()).not.toContain(token);
    await press(options, 'Show');
    await options.waitForFunction(
      (shown) => document.querySelector<HTMLInputElement>('[name=token]')?.value === shown,
      { timeout: WAIT_MS },
      token,
    );
    await press(options, 'Hide');
    await options.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=token]')?.value.startsWith('•'),
      { timeout: WAIT_MS },
    );
    expect(await wholePage()).not.toContain(token);
  });

  test('is copied without being shown', async () => {
    await press(options, 'Copy');
    await reads('Token copied.');
    expect(await wholePage()).not.toContain(token);
    expect(await bench.chromium.readClipboard()).toBe(token);
  });

  test('gives way to another that the server knows', async () => {
    const made = await createClient(bench.server).shorten({ originalUrl: 'https://example.com' });
    const other = made.ok ? made.data.authToken : '';
    await fill(options, 'Another token', other);
    await press(options, 'Use this token');
    await reads('It is used from now on.');
    expect((await stored(bench)).accountTokens).toEqual({ [bench.server.baseUrl]: other });
  });

  test.each([
    [`curt_${'y'.repeat(43)}`, 'The server does not know this token.'],
    ['two words', 'This is not a token.'],
  ])('stays when %s is pasted', async (other, sentence) => {
    await fill(options, 'Another token', other);
    await press(options, 'Use this token');
    await reads(sentence);
    expect((await stored(bench)).accountTokens).toEqual({ [bench.server.baseUrl]: token });
  });

  test('is forgotten only when that is confirmed', async () => {
    await press(options, 'Forget token…');
    await options.waitForSelector('dialog[open]');
    await press(options, 'Cancel');
    await options.waitForSelector('dialog:not([open])');
    expect((await stored(bench)).accountTokens).toEqual({ [bench.server.baseUrl]: token });

    await press(options, 'Forget token…');
    await options.waitForSelector('dialog[open]');
    await press(options, 'Forget it');
    await reads('The token is forgotten.');
    await reads('There is none yet.');
    expect((await stored(bench)).accountTokens).toEqual({});
  });
});

test('what happens by itself is saved at a click', async () => {
  await options.click('[name=shorten-at-once]');
  await options.click('[name=copy-at-once]');
  await expect
    .poll(async () => (await stored(bench)).settings, { timeout: WAIT_MS })
    .toEqual({ serverOrigin: bench.server.baseUrl, shortenAtOnce: false, copyAtOnce: false });
  await says(await openPopup(bench), 'Ready to shorten this page');
});

async function openOptions(): Promise<Page> {
  const page = await bench.chromium.openExtensionPage('options.html');
  await page.waitForSelector('main');
  return page;
}

async function reopen(): Promise<void> {
  await options.reload();
  await options.waitForSelector('main');
  await options.bringToFront();
}

async function reads(words: string): Promise<void> {
  try {
    await options.waitForFunction(
      (wanted) => document.body.textContent?.includes(wanted),
      { timeout: WAIT_MS },
      words,
    );
  } catch (cause) {
    throw new Error(`The page should say "${words}", but says "${await text()}"`, { cause });
  }
}

function text(): Promise<string> {
  return options.$eval('main', (main) => main.textContent ?? '');
}

/** Markup and the values of all fields. */
function wholePage(): Promise<string> {
  return options.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input')].map(({ value }) => value),
    ].join('\n'),
  );
}
