import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { collectDownloads } from '../support/browser/downloads.ts';
import { findFaults } from '../support/checks/accessibility.ts';
import { noonTimeZone } from '../support/checks/noon.ts';
import {
  collectComplaints,
  follow,
  headingOf,
  openAccount,
  press,
  signInWith,
  textOf,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { visitAsMany } from '../support/dashboard/real-visits.ts';
import { startServer } from '../support/servers/server.ts';

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
  await page.locator('button.primary').click();
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
    expect(await bars()).toBe(1);
    await page.locator('::-p-aria([name="Include previews and bots"][role="checkbox"])').click();
    await expect.poll(bars).toBe(3);
    expect(await nameOf(page, PICTURE)).toMatch(/ Visitors: 2, Previews: 1, Bots: 1\.$/);

    await page.locator('summary').click();
    const rows = await cellsOf(page, '.table-frame');
    expect(rows).toHaveLength(30);
    const sums = [1, 2, 3, 4].map((column) =>
      rows.reduce((sum, row) => sum + Number(row[column]), 0),
    );
    expect(sums).toEqual([3, 2, 1, 1]);
    const tops = await cellsOf(page, '.top');
    expect(tops).toContainEqual(['news.example', '2', '67%']);
    expect(tops).toContainEqual(['Direct', '1', '33%']);
    expect(tops).toContainEqual(['Safari', '1', '33%']);
    expect(tops).toContainEqual(['Phone', '1', '33%']);
    expect(tops).toContainEqual(['Unknown', '3', '100%']);
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
  await client.shorten(body, { token: link.authToken });
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
    const other = document.createElement('a');
    other.href = '/dashboard/links/other-link/statistics';
    document.body.append(other);
    other.click();
  });
  await page.waitForSelector('a[href$="/other-link"]');
  await expect.poll(title).toBeUndefined();
  await page.evaluate(() => history.back());
  await expect.poll(title).toBe('First');
  await page.evaluate(() => {
    dispatchEvent(new Event('release'));
    return new Promise((resolve) => setTimeout(resolve, 200));
  });
  expect(await title()).toBe('First');
});

test('arrow keys read the chart period by period', async () => {
  const { page } = await openStatistics();
  await page.focus(SLIDER);
  const valueText = () => page.$eval(SLIDER, (slider) => slider.getAttribute('aria-valuetext'));
  await page.keyboard.press('Home');
  await expect.poll(valueText).toMatch(/ – Visits: 0, Visitors: 0$/);
  expect(await textOf(page)).toContain(await valueText());
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
      const { left, right } = await page.$eval('.chart-tooltip', (tooltip) => {
        const box = tooltip.getBoundingClientRect();
        return { left: box.left, right: box.right };
      });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(360);
    }
  },
);

test('a day is shown alone, by its column, with the keyboard, and by its row', async () => {
  const { page } = await openStatistics();
  const rows = async () => (await cellsOf(page, '.table-frame')).length;
  const range = () => page.$eval('select[name="range"]', (select) => select.value);
  await page.locator('summary').click();
  await page.focus(SLIDER);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(rows).toBe(24);
  expect(await range()).toBe('custom');
  await page.select('select[name="range"]', 'days7');
  await expect.poll(rows).toBe(7);
  await page.locator('tr:last-child .row-filter').click();
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
  await page.waitForSelector('.link-editor');
  const alias = '.link-editor input[name="alias"]';
  expect(await page.$eval(alias, (input) => (input as HTMLInputElement).value)).toBe(link.alias);
});

test('the range and the time zone can be chosen', async () => {
  const { page } = await openStatistics();
  await page.locator('summary').click();
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

test('the numbers are exported as CSV', async () => {
  const { page, link } = await openStatistics({ of: 'link' });
  const downloads = await collectDownloads(fixture.chromium.browser);
  await press(page, 'Export as CSV');
  const csv = (await downloads.take(`curt-statistics-${link.alias}.csv`)).toString();
  await downloads.stop();
  const lines = csv.split('\r\n');
  expect(lines[0]).toBe('\ufeff"kind","value","people","uniquePeople","previews","bots"');
  expect(lines[1]).toMatch(/^"total","[^"]+","3","2","1","1"$/);
  expect(lines.filter((line) => line.startsWith('"day",'))).toHaveLength(30);
  expect(lines).toContain('"referrer","news.example","2",,,');
});

test('pages that fail to render are replaced by a message', async () => {
  const { page } = await openStatistics();
  await page.evaluate(() => {
    // The page of the account formats dates in a way of its own.
    Object.assign(Intl, { DateTimeFormat: undefined });
  });
  await follow(page, 'Account');
  await page.waitForSelector('[role="alert"] ::-p-text(Something went wrong)');
  // Rendering once more fails, too. Then the page is loaded again.
  for (let time = 0; time < 2; time++) await press(page, 'Try again');
  await page.waitForSelector('nav');
  expect(await headingOf(page)).toBe('Account');
});

test('a page whose file is gone is loaded again once, and says then that it cannot be', async () => {
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  await page.setRequestInterception(true);
  page.on('request', (request) =>
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
  const { authToken } = await openAccount(fixture.server);
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, authToken);
  await page.goto(`${fixture.server.baseUrl}/dashboard/links/nobody-has-this/statistics`);
  await expect.poll(() => textOf(page)).toContain('Your account has no link with this alias.');
});

test('an account without visits says so, and where nothing is recorded', async () => {
  const silent = await startServer({ env: { STATISTICS: 'off' } });
  onTestFinished(async () => void (await silent.stop()));
  for (const [at, text] of [
    [fixture.server, 'No visits yet'],
    [silent, 'This server doesn’t record visits.'],
  ] as const) {
    const { authToken } = await openAccount(at);
    const page = await fixture.chromium.openPage('about:blank');
    await signInWith(page, at, authToken);
    await page.goto(`${at.baseUrl}/dashboard/statistics`);
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
  await page.locator('summary').click();
  await page.waitForSelector('.table-frame');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
  expect(await findFaults(page)).toEqual([]);
});

test('tables say which days they count if those are not the days of the numbers above', async () => {
  const { page } = await openStatistics();
  const covered = 'The tables below count whole days (UTC):';
  await page.select('select[name="time-zone"]', 'UTC');
  await expect.poll(() => textOf(page)).not.toContain(covered);
  await page.select('select[name="time-zone"]', 'Asia/Kathmandu');
  await expect.poll(() => textOf(page)).toContain(covered);
  // Visitors count with their first visit of a day.
  expect(await textOf(page)).not.toContain('A visitor counts once a day');
  await page.select('select[name="range"]', 'hours24');
  await expect.poll(() => textOf(page)).toContain('A visitor counts once a day (UTC)');
});
