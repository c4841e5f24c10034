import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { click } from '../support/browser/click.ts';
import { findFaults } from '../support/checks/accessibility.ts';
import { noonTimeZone } from '../support/checks/noon.ts';
import {
  collectComplaints,
  follow,
  headingOf,
  openAccount,
  openSignedIn,
  press,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { visitAsMany } from '../support/dashboard/real-visits.ts';
import { startAppServer } from '../support/servers/app-server.ts';
import { intercept } from '../support/servers/outside.ts';

const fixture = useDashboard();

/** Opens the statistics of a new account with a visited link. */
async function openStatistics({ of = 'account', language = 'en' } = {}) {
  const link = await openAccount(fixture.server, {
    originalUrl: 'https://example.com/page',
    title: 'First',
    rules: [{ device: 'phone', originalUrl: 'https://example.com/app' }],
  });
  await visitAsMany(fixture.server, link);
  const page = await fixture.chromium.openPage('about:blank');
  await page.emulateTimezone(noonTimeZone());
  const session = await page.createCDPSession();
  const userAgent = await fixture.chromium.browser.userAgent();
  await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: language });
  const complaints = collectComplaints(page);
  await page.goto(`${fixture.server.baseUrl}/dashboard#${link.authToken}`);
  await click(page, 'button.primary');
  await page.waitForSelector('nav');
  const path = of === 'account' ? 'statistics' : `links/${link.alias}/statistics`;
  await page.goto(`${fixture.server.baseUrl}/dashboard/${path}`);
  await page.waitForSelector(PICTURE);
  return { page, link, complaints };
}

const PICTURE = 'svg[role="img"]';
const SLIDER = 'input[type="range"]';

const nameOf = async (page: Page, selector: string) => {
  const element = await page.$(selector);
  return (await page.accessibility.snapshot(element ? { root: element } : {}))?.name;
};
const cellsOf = (page: Page, selector: string) =>
  page.$$eval(`${selector} tbody tr`, (rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
  );

test.each(['account', 'link'])(
  'the statistics of %s show real visits as a picture and a table',
  async (of) => {
    const { page, complaints } = await openStatistics({ of });
    expect(await headingOf(page)).toBe(of === 'account' ? 'Statistics' : 'Link statistics');
    expect(await nameOf(page, PICTURE)).toMatch(/^Chart of visits, .+\. Visits: 3, Visitors: 2\.$/);
    // All visits were on one day.
    const bars = () => page.$$eval('.chart-picture .chart-bar', (all) => all.length);
    await expect.poll(bars).toBe(1);
    await click(page, '::-p-aria([name="Include previews and bots"][role="checkbox"])');
    await expect.poll(bars).toBe(3);
    await expect.poll(() => nameOf(page, PICTURE)).toMatch(/ Visitors: 2, Previews: 1, Bots: 1\.$/);

    await click(page, '.statistics-table summary');
    await expect.poll(() => cellsOf(page, '.table-frame')).toHaveLength(30);
    const rows = await cellsOf(page, '.table-frame');
    const sums = [1, 2, 3, 4].map((column) =>
      rows.reduce((sum, row) => sum + Number(row[column]), 0),
    );
    expect(sums).toEqual([3, 2, 1, 1]);
    const tops = await cellsOf(page, '.top');
    expect(tops).toContainEqual(['news.example', '2', '67%']);
    expect(tops).toContainEqual(['Direct', '1', '33%']);
    expect(tops).toContainEqual(['Safari', '1', '33%']);
    expect(tops).toContainEqual(['Phone', '1', '33%']);
    // Without a header from a proxy, no country is known.
    expect(tops.filter(([name]) => name === 'Unknown')).toEqual([]);
    const targets = [
      ['example.com/page', '2', '67%'],
      ['example.com/app', '1', '33%'],
    ];
    const shown = tops.filter(([name]) => name?.startsWith('example.com/'));
    expect(shown).toEqual(of === 'link' ? targets : []);
    expect(complaints).toEqual([]);
  },
);

test('the visits of a link in the list lead to its statistics', async () => {
  const { page, link } = await openStatistics();
  await follow(page, 'Links');
  await follow(page, '3 visits');
  await page.waitForSelector(PICTURE);
  expect(await headingOf(page)).toBe('Link statistics');
  expect(page.url()).toBe(`${fixture.server.baseUrl}/dashboard/links/${link.alias}/statistics`);
  await expect.poll(() => page.$eval('h2', (title) => title.textContent)).toBe('First');
});

test('the title of another link never stays, whichever answer comes last', async () => {
  const { page, link } = await openStatistics({ of: 'link' });
  const client = createClient({ baseUrl: fixture.server.baseUrl });
  const body = { originalUrl: 'https://example.com/', customAlias: 'other-link', title: 'Other' };
  await client.createLink({ body, token: link.authToken });
  const title = () =>
    page.evaluate(() => document.querySelector('h2.statistics-title')?.textContent);
  await expect.poll(title).toBe('First');
  await page.evaluate(() => {
    const { fetch } = window;
    const released = new Promise((resolve) => addEventListener('release', resolve));
    window.fetch = async (...request) => {
      const response = await fetch(...request);
      if (String(request[0]).endsWith('/api/links/other-link')) await released;
      return response;
    };
    let isReleased = false;
    void released.then(() => {
      isReleased = true;
    });
    const { text } = Response.prototype;
    Response.prototype.text = async function () {
      const content = await text.call(this);
      if (isReleased && content.includes('"Other"'))
        Object.assign(globalThis, { isLateAnswerRead: true });
      return content;
    };
    const other = document.createElement('a');
    other.href = '/dashboard/links/other-link/statistics';
    document.body.append(other);
    other.click();
  });
  await page.waitForFunction(() =>
    document.querySelector('.statistics-link')?.textContent.includes('/other-link'),
  );
  await expect.poll(title).toBeUndefined();
  await page.evaluate(() => history.back());
  await expect.poll(title).toBe('First');
  await page.evaluate(() => dispatchEvent(new Event('release')));
  await page.waitForFunction(() => 'isLateAnswerRead' in globalThis);
  expect(await title()).toBe('First');
});

test('arrow keys read the chart period by period', async () => {
  const { page } = await openStatistics();
  await page.focus(SLIDER);
  const valueText = () => page.$eval(SLIDER, (slider) => slider.getAttribute('aria-valuetext'));
  await page.keyboard.press('Home');
  await expect.poll(valueText).toMatch(/ – Visits: 0, Visitors: 0$/);
  await expect
    .poll(async () => (await textOf(page)).includes((await valueText()) ?? '-'))
    .toBe(true);
  await page.keyboard.press('End');
  await expect.poll(valueText).toMatch(/ – Visits: 3, Visitors: 2$/);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(valueText).toMatch(/Visits: 0/);
});

test.each(['en', 'ar'])(
  'in %s, the numbers of a period stay in the window at both ends',
  async (language) => {
    const { page } = await openStatistics({ language });
    await page.setViewport({ width: 360, height: 700 });
    await page.focus(SLIDER);
    for (const key of ['Home', 'End'] as const) {
      await page.keyboard.press(key);
      const text = await page.$eval(SLIDER, (slider) => slider.getAttribute('aria-valuetext'));
      await expect
        .poll(() => page.$eval('.chart-tooltip', (tooltip) => tooltip.textContent))
        .toBe(text);
      const isInWindow = () =>
        page.$eval('.chart-tooltip', (tooltip) => {
          const { left, right } = tooltip.getBoundingClientRect();
          return left >= 0 && right <= 360;
        });
      await expect.poll(isInWindow).toBe(true);
    }
  },
);

test('a day is shown alone, by its column, with the keyboard, and by its row', async () => {
  const { page } = await openStatistics();
  const rows = async () => (await cellsOf(page, '.table-frame')).length;
  const range = () => page.$eval('select[name="range"]', (select) => select.value);
  await click(page, '.statistics-table summary');
  await page.focus(SLIDER);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(rows).toBe(24);
  expect(await range()).toBe('custom');
  await page.select('select[name="range"]', 'days7');
  await expect.poll(rows).toBe(7);
  await click(page, 'tr:last-child .row-filter');
  await expect.poll(rows).toBe(24);
  await page.select('select[name="range"]', 'days7');
  await expect.poll(rows).toBe(7);
  const slider = await page.$(SLIDER);
  const { width = 0 } = (await slider?.boundingBox()) ?? {};
  await slider?.click({ offset: { x: width - 2, y: 10 } });
  await expect.poll(rows).toBe(24);
});

test('the most visited links lead to their statistics, and back to the list', async () => {
  const { page, link } = await openStatistics();
  await follow(page, 'First');
  await expect.poll(() => headingOf(page)).toBe('Link statistics');
  await page.waitForSelector(PICTURE);
  await press(page, 'QR code');
  await page.waitForSelector('dialog[open] .qr-dark');
  await press(page, 'Close');
  await follow(page, 'Edit');
  await page.waitForSelector('.link-editor-dialog[open]');
  const alias = '.link-editor-dialog[open] input[name="customAlias"]';
  expect(await page.$eval(alias, (input) => (input as HTMLInputElement).value)).toBe(link.alias);
});

test('the range and the time zone can be chosen', async () => {
  const { page } = await openStatistics();
  await click(page, '.statistics-table summary');
  const rows = async () => (await cellsOf(page, '.table-frame')).length;
  await page.select('select[name="range"]', 'hours24');
  await expect.poll(rows).toBe(24);
  await page.select('select[name="time-zone"]', 'Asia/Tokyo');
  await page.select('select[name="range"]', 'months12');
  await expect.poll(rows).toBe(12);
  await page.select('select[name="range"]', 'custom');
  await page.waitForSelector('input[name="from"]');
  await expect.poll(rows).toBe(30);
});

test('the statistics of a link are shown to everybody by a click, until the next one', async () => {
  const { page, link } = await openStatistics({ of: 'link' });
  const status = async () => (await fetch(`${link.shortUrl}/stats`)).status;
  const isPressed = (state: boolean) =>
    page.waitForSelector(`button[aria-pressed="${state}"]::-p-text(Show statistics to everyone)`);
  await isPressed(false);
  expect(await status()).toBe(404);
  await press(page, 'Show statistics to everyone');
  await isPressed(true);
  expect(await status()).toBe(200);
  await page.waitForSelector(`a[href="${link.shortUrl}/stats"]`);
  await press(page, 'Show statistics to everyone');
  await isPressed(false);
  expect(await status()).toBe(404);
});

test('the numbers are exported as CSV', async () => {
  const { page, link } = await openStatistics({ of: 'link' });
  const downloads = await fixture.chromium.collectDownloads();
  await press(page, 'Export as CSV');
  const csv = (await downloads.take(`curt-statistics-${link.alias}.csv`)).toString();
  await downloads.stop();
  const lines = csv.split('\r\n');
  expect(lines[0]).toBe('\ufeff"kind","value","people","uniquePeople","previews","bots"');
  expect(lines[1]).toMatch(/^"total","[^"]+","3","2","1","1"$/);
  expect(lines.filter((line) => line.startsWith('"day",'))).toHaveLength(30);
  expect(lines).toContain('"referrer","news.example","2","","",""');
});

test('pages that fail to render are replaced by a message', async () => {
  const { page } = await openStatistics();
  await page.evaluate(() => {
    // The page of the account shows dates. Their format may be there already.
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        throw new Error('No dates');
      },
    });
    Object.assign(Intl, { DateTimeFormat: undefined });
  });
  await follow(page, 'Account');
  await page.waitForSelector('[role="alert"] ::-p-text(Something went wrong)');
  // Rendering once more fails, too. Then the page is loaded again.
  await press(page, 'Try again');
  await Promise.all([page.waitForNavigation(), press(page, 'Try again')]);
  await page.waitForSelector('.list-row');
  expect(await headingOf(page)).toBe('Account');
});

test('a page whose file is gone is loaded again once, and says then that it cannot be', async () => {
  const { page } = await openSignedIn(fixture);
  await intercept(page, (request) =>
    request.url().includes('StatisticsPage-') ? request.abort() : request.continue(),
  );
  await follow(page, 'Statistics');
  const loads = () =>
    page.evaluate(() =>
      performance.getEntriesByType('navigation').map((load) => load.toJSON().type),
    );
  await expect.poll(loads).toEqual(['reload']);
  await expect.poll(() => textOf(page)).toContain('isn’t responding');
});

test('an address with an alias that the account does not have is explained', async () => {
  const { page } = await openSignedIn(fixture, { path: '/links/nobody-has-this/statistics' });
  await expect.poll(() => textOf(page)).toContain('Your account has no link with this alias.');
});

test('an account without visits says so, and where nothing is recorded', async () => {
  const silent = await startAppServer({ env: { STATISTICS: 'off' } });
  onTestFinished(async () => void (await silent.stop()));
  for (const [server, text] of [
    [fixture.server, 'No visits yet'],
    [silent, 'This server doesn’t record visits.'],
  ] as const) {
    const { page } = await openSignedIn({ ...fixture, server }, { path: '/statistics' });
    await expect.poll(() => textOf(page)).toContain(text);
    expect(await page.$(PICTURE)).toBeNull();
  }
});

test.each([
  ['en', 320],
  ['ar', 320],
  ['ar', 1000],
])('in %s, %i px wide, nothing is hard to read or to use', async (language, width) => {
  const { page } = await openStatistics({ language });
  await page.setViewport({ width, height: 800 });
  await click(page, '.statistics-table summary');
  await page.waitForSelector('.table-frame');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  expect(await findFaults(page)).toEqual([]);
});

test('tables say which days they count if those are not the days of the numbers above', async () => {
  const { page } = await openStatistics();
  const covered = 'The tables below count whole days (UTC):';
  await page.select('select[name="time-zone"]', 'UTC');
  await expect.poll(() => textOf(page)).not.toContain(covered);
  await page.select('select[name="time-zone"]', 'Asia/Tokyo');
  await expect.poll(() => textOf(page)).toContain(covered);
  // Visitors count with their first visit of a day.
  expect(await textOf(page)).not.toContain('A visitor counts once a day');
  await page.select('select[name="range"]', 'hours24');
  await expect.poll(() => textOf(page)).toContain('A visitor counts once a day (UTC)');
});

test('the statistics of a link lead back to the list as it was filtered', async () => {
  const { page } = await openStatistics({ of: 'link' });
  const nameOfBack = () => page.$eval('.statistics-back', ({ textContent }) => textContent);
  expect(await nameOfBack()).toBe('All links');
  await page.goto(`${fixture.server.baseUrl}/dashboard?q=first&status=active`);
  await click(page, '[data-control=statistics]');
  await page.waitForSelector(PICTURE);
  expect(await nameOfBack()).toBe('Links');
  await click(page, '.statistics-back');
  await page.waitForSelector('#search');
  expect(new URL(page.url()).search).toBe('?q=first&status=active');
  expect(await page.$eval('#search', (field) => (field as HTMLInputElement).value)).toBe('first');
});
