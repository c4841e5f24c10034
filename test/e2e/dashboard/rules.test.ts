import type { Page } from 'puppeteer-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import type { CreatedLinkRecord } from '../../../shared/links/link-record.ts';
import { click } from '../support/browser/click.ts';
import { findColorFaults, findFaults } from '../support/checks/accessibility.ts';
import { findLayoutFaults } from '../support/checks/layout-faults.ts';
import {
  issueAt,
  openPart,
  openRules,
  outcomes,
  ruleTargets,
  typeInto,
} from '../support/checks/rules-editor.ts';
import { nameOfFocused } from '../support/checks/walk-by-keyboard.ts';
import {
  openAccount,
  openSignedIn,
  press,
  signInWith,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { chooseInRow } from '../support/extension/links-page.ts';
import { startAppServer } from '../support/servers/app-server.ts';

const PHONE = 'https://example.com/phone';
const GERMAN = 'https://example.com/de';
const THIRD = 'https://example.com/third';
const RULES = [
  { device: 'phone' as const, originalUrl: PHONE },
  { language: 'de', originalUrl: GERMAN },
  { share: 30, originalUrl: THIRD },
];

const fixture = useDashboard();
let link: CreatedLinkRecord;
let page: Page;
let complaints: string[];

beforeEach(async () => {
  const request = { originalUrl: 'https://example.com/', rules: RULES };
  ({ link, page, complaints } = await openSignedIn(fixture, { request }));
  await page.waitForSelector('.link-row');
});

/** The rules, as the server has them. */
async function savedTargets(): Promise<string[]> {
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const read = await client.getLink({ alias: link.alias, token: link.authToken });
  return read.ok ? read.data.rules.map(({ originalUrl }) => originalUrl) : [read.code];
}

async function openEditor(): Promise<void> {
  await chooseInRow(page, 'Edit');
  await openRules(page);
  await page.waitForSelector('.rule');
}

async function locationFor(shortUrl: string, headers: Record<string, string>) {
  return (await fetch(shortUrl, { redirect: 'manual', headers })).headers.get('location');
}

test('a new link gets rules, which are loaded only when they are opened', async () => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(`${fixture.server.baseUrl}/dashboard/create`);
  await page.waitForSelector('input[name="originalUrl"]');
  await page.type('input[name="originalUrl"]', 'https://example.com/own');
  const isEditorLoaded = () => scripts.some((url) => url.includes('RulesEditor'));
  expect(isEditorLoaded()).toBe(false);
  await openRules(page);
  expect(isEditorLoaded()).toBe(true);
  await press(page, 'Add rule');
  await page.waitForFunction(() => document.activeElement?.matches('[name="rules.0.device"]'));
  await page.select('[name="rules.0.device"]', 'tablet');
  await page.select('.rule-add-condition select', 'language');
  await press(page, 'Add condition');
  await page.waitForFunction(() => document.activeElement?.matches('[name="rules.0.language"]'));
  await page.select('[name="rules.0.language"]', 'fr');
  await typeInto(page, 'rules.0.originalUrl', 'example.com/tablette');
  await press(page, 'Shorten and copy');
  const created = await page.waitForSelector('.created-url');
  const shortUrl = (await created?.evaluate((one) => one.textContent)) ?? '';
  const tablet =
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
  const visit = (language: string) =>
    locationFor(shortUrl, { 'user-agent': tablet, 'accept-language': language });
  expect(await visit('fr-CA')).toBe('https://example.com/tablette');
  expect(await visit('de')).toBe('https://example.com/own');
  expect(complaints).toEqual([]);
});

describe('the rules of a link', () => {
  test('are counted in its row, and in words on its page', async () => {
    await page.waitForSelector('.link-facts [title="3 rules"]');
    await click(page, '[data-control="statistics"]');
    await page.waitForSelector('.rule-list');
    const lines = () =>
      page.$$eval('.rule-list :is(li, p)', (all) =>
        all.map(({ textContent }) => textContent?.replace(/\u200e/g, '')),
      );
    await expect
      .poll(lines)
      .toEqual([
        `If the device is Phone, go to ${PHONE}`,
        `If the language is German, go to ${GERMAN}`,
        `If the visitor is among a random 30%, go to ${THIRD}`,
        'Otherwise, go to https://example.com/',
      ]);
    expect(await findFaults(page)).toEqual([]);
  });

  test('can name countries if the server knows them', async () => {
    const conditions = () =>
      page.$$eval('[data-rule="0"] .rule-add-condition option', (options) =>
        options.map(({ value }) => value),
      );
    await openEditor();
    expect(await conditions()).not.toContain('country');
    const other = await startAppServer({
      env: { COUNTRY_HEADER: 'x-country', TRUST_PROXY: '127.0.0.1' },
    });
    try {
      const { authToken } = await openAccount(other, { originalUrl: PHONE, rules: RULES });
      await signInWith(page, other, authToken);
      await openEditor();
      await expect.poll(conditions).toContain('country');
    } finally {
      await other.stop();
    }
  });

  test('are ordered by buttons, which keep the focus, and undone', async () => {
    await openEditor();
    expect(await ruleTargets(page)).toEqual([PHONE, GERMAN, THIRD]);
    await page.focus('[data-rule="2"] [data-control="up"]');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Move up: Rule 2');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Move up: Rule 1');
    await page.keyboard.press('Enter');
    await expect.poll(() => ruleTargets(page)).toEqual([THIRD, PHONE, GERMAN]);
    await click(page, '[data-rule="1"] [data-control="remove"]');
    await expect.poll(() => nameOfFocused(page)).toBe('Remove rule: Rule 2');
    await press(page, 'Save');
    await expect.poll(savedTargets).toEqual([THIRD, GERMAN]);
    await press(page, 'Undo');
    await expect.poll(savedTargets).toEqual([PHONE, GERMAN, THIRD]);
    expect(complaints).toEqual([]);
  });

  test('are ordered by dragging', async () => {
    // All of them are in view.
    await page.setViewport({ width: 1280, height: 2000 });
    await openEditor();
    const grip = await page.waitForSelector('[data-rule="0"] .grip');
    const last = await page.waitForSelector('[data-rule="2"]');
    const center = async (handle: typeof grip) => {
      const box = await handle?.boundingBox();
      return {
        x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
        y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
      };
    };
    const from = await center(grip);
    const to = await center(last);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + 12);
    // A drag has begun once the mouse moves, and is over what it moves on later.
    let moves = 0;
    const isOverLast = async () => {
      moves += 1;
      await page.mouse.move(to.x + (moves % 2), to.y);
      return (await page.$('[data-rule="2"].drop-place')) !== null;
    };
    await expect.poll(isOverLast).toBe(true);
    await page.mouse.up();
    await expect.poll(() => ruleTargets(page)).toEqual([GERMAN, THIRD, PHONE]);
    await expect.poll(() => page.$('.drop-place')).toBeNull();
  });

  test('have their errors at the rule, also those of the server', async () => {
    await openEditor();
    await typeInto(page, 'rules.1.originalUrl', ' ');
    await typeInto(page, 'rules.2.share', '101');
    await press(page, 'Save');
    await expect.poll(() => issueAt(page, 'rules.1.originalUrl')).toBe('Enter a URL.');
    await expect
      .poll(() => issueAt(page, 'rules.2.share'))
      .toBe('Enter a whole number from 1 to 100.');
    await page.waitForFunction(() =>
      document.activeElement?.matches('[name="rules.1.originalUrl"]'),
    );
    await typeInto(page, 'rules.1.originalUrl', 'javascript:alert(1)');
    // The error of another rule stays.
    expect(await issueAt(page, 'rules.2.share')).not.toBe('');
    await typeInto(page, 'rules.2.share', '10');
    await press(page, 'Save');
    await expect
      .poll(() => issueAt(page, 'rules.1.originalUrl'))
      .toMatch(/^The server doesn’t accept this value/);
    expect(await savedTargets()).toEqual([PHONE, GERMAN, THIRD]);
  });

  test('can be tried, as the server would choose', async () => {
    await openEditor();
    await openPart(page, 'Try it');
    await expect
      .poll(() => outcomes(page))
      .toEqual([`30% · Rule 3 ${THIRD}`, '70% · No rule matches https://example.com/']);
    const select = async (label: string, value: string) => {
      const field = await page.waitForSelector(`.try-fields ::-p-aria([name="${label}"])`);
      await field?.select(value);
    };
    await select('Language', 'de');
    await expect.poll(() => outcomes(page)).toEqual([`Rule 2 ${GERMAN}`]);
    await select('Device', 'phone');
    await expect.poll(() => outcomes(page)).toEqual([`Rule 1 ${PHONE}`]);
    await click(page, '[data-rule="0"] [data-control="down"]');
    await expect.poll(() => outcomes(page)).toEqual([`Rule 1 ${GERMAN}`]);
  });

  test.each([1280, 360])('are accessible, and fit into a window of %i px', async (width) => {
    const from = { from: '2030-01-31T12:00:00Z', originalUrl: THIRD };
    const client = createClient({ baseUrl: fixture.server.baseUrl });
    const { alias, authToken: token } = link;
    await client.editLink({ alias, token, body: { rules: [...RULES, from] } });
    await page.setViewport({ width, height: 800 });
    await page.reload();
    await page.waitForSelector('.link-row');
    await openEditor();
    expect(await findLayoutFaults(page)).toEqual([]);
    await openPart(page, 'Try it');
    await press(page, 'Add rule');
    await press(page, 'Save');
    await page.waitForSelector('.rule .issue');
    expect(await findFaults(page)).toEqual([]);
    expect(await findColorFaults(page)).toEqual([]);
  });
});
