import type { Page } from 'puppeteer-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { click } from '../support/browser/click.ts';
import { findColorFaults, findFaults, findViolations } from '../support/checks/accessibility.ts';
import { findLayoutFaults } from '../support/checks/layout-faults.ts';
import { nameOfFocused, tabTo } from '../support/checks/walk-by-keyboard.ts';
import {
  collectComplaints,
  openAccount,
  signInWith,
  useDashboard,
} from '../support/dashboard/dashboard-fixture.ts';
import { fill, press, targetOf } from '../support/extension/extension-fixture.ts';
import { chooseInRow, expectText, searchFor, titles } from '../support/extension/links-page.ts';

const fixture = useDashboard();
let client: Client;
let token: string;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  client = createClient({ baseUrl: fixture.server.baseUrl });
});

/** Each test has an account of its own, with one link. */
beforeEach(async () => {
  const link = await openAccount(fixture.server, {
    originalUrl: 'https://example.com/first',
    title: 'First',
  });
  token = link.authToken;
});

async function openLinks(): Promise<void> {
  page = await fixture.chromium.openPage('about:blank');
  complaints = collectComplaints(page);
  await signInWith(page, fixture.server, token);
  await page.waitForSelector('.row');
}

/** The account's links, newest first, as the server has them. */
async function links() {
  return dataOf(await client.listLinks({ token, limit: 100 })).data;
}

async function createMany(count: number): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    const bodies = Array.from({ length: Math.min(100, count - done) }, (_, index) => ({
      originalUrl: `https://example.com/${done + index}`,
      title: `Page ${done + index}`,
    }));
    dataOf(await client.createLinks({ body: bodies, token }));
  }
}

/** Clicks a button for all selected links. */
async function pressInBar(name: string): Promise<void> {
  await click(page, `.bulk-bar ::-p-aria([name="${name}"][role="button"])`);
}

describe('the list of links', () => {
  test('edits a link in its row, whose next visit goes to the new target, and undoes that', async () => {
    await openLinks();
    const [before] = await links();
    await chooseInRow(page, 'Edit');
    await fill(page, 'Destination', 'https://example.com/second');
    await fill(page, 'Title', 'Second');
    await press(page, 'Save');
    await expect.poll(() => titles(page)).toEqual(['Second']);
    expect(await targetOf(before?.shortUrl ?? '')).toBe('https://example.com/second');
    await press(page, 'Undo');
    await expect.poll(() => titles(page)).toEqual(['First']);
    expect(await targetOf(before?.shortUrl ?? '')).toBe('https://example.com/first');
    expect(complaints).toEqual([]);
  });

  test('shows what else was changed meanwhile, and lets the user choose', async () => {
    await openLinks();
    const [{ alias } = { alias: '' }] = await links();
    const elsewhere = (title: string) =>
      client.editLink({ alias, token, body: { title, tags: ['b'] } });
    await chooseInRow(page, 'Edit');
    await elsewhere('Theirs');
    await fill(page, 'Title', 'Mine');
    await press(page, 'Save');
    await expectText(page, 'This link was changed elsewhere');
    const cells = () =>
      page.$$eval('.conflict tbody tr', (rows) =>
        rows.map((row) => [...row.children].map((cell) => cell.textContent)),
      );
    await expect.poll(cells).toEqual([
      ['Title', 'Mine', 'Theirs'],
      ['Tags', 'Not changed', 'b'],
    ]);
    expect(await findViolations(page)).toEqual([]);
    await press(page, 'Use the other version');
    await expect.poll(() => titles(page)).toEqual(['Theirs']);

    await chooseInRow(page, 'Edit');
    await elsewhere('Theirs again');
    await fill(page, 'Title', 'Mine');
    await press(page, 'Save');
    await press(page, 'Keep my version');
    await expect.poll(() => titles(page)).toEqual(['Mine']);
    expect(await links()).toMatchObject([{ title: 'Mine', tags: ['b'] }]);
  });

  test('pauses, resumes, deletes, restores and erases a link', async () => {
    await openLinks();
    const [{ shortUrl } = { shortUrl: '' }] = await links();
    const statusOf = async () => (await fetch(shortUrl, { redirect: 'manual' })).status;
    await chooseInRow(page, 'Pause');
    await expect.poll(statusOf).toBe(410);
    await chooseInRow(page, 'Resume');
    await expect.poll(statusOf).toBe(302);
    await chooseInRow(page, 'Delete');
    await expect.poll(statusOf).toBe(410);
    // Until then, the focus leaves an open menu.
    await expect.poll(() => nameOfFocused(page)).toBe('Undo');
    await page.select('.filter select', 'deleted');
    await chooseInRow(page, 'Restore');
    await expect.poll(() => nameOfFocused(page)).toBe('Close');
    await expect.poll(statusOf).toBe(302);
    await page.select('.filter select', '');
    await chooseInRow(page, 'Delete');
    await expect.poll(() => nameOfFocused(page)).toBe('Undo');
    await page.select('.filter select', 'deleted');
    await chooseInRow(page, 'Delete permanently');
    await click(page, 'dialog[open] .button.danger');
    await expectText(page, 'No links with this tag or status');
    const deleted = () => client.listLinks({ token, status: 'deleted' });
    await expect.poll(deleted).toMatchObject({ data: { data: [] } });
    await expect.poll(statusOf).toBe(404);
  });

  test('tags, exports, pauses and deletes all selected links, and undoes that', async () => {
    await createMany(5);
    await openLinks();
    await expect.poll(async () => (await titles(page)).length).toBe(6);
    await click(page, '.select');
    await press(page, 'Select all 6');
    await expectText(page, 'Selected: 6');
    await page.locator('::-p-aria([name="Add tag"])').fill('sale');
    await press(page, 'Add');
    await expectText(page, 'Tag added: 6');
    expect((await links()).every(({ tags }) => tags.includes('sale'))).toBe(true);

    const downloads = await fixture.chromium.collectDownloads();
    await click(page, '.bulk-wide [aria-haspopup="menu"]');
    await click(page, '::-p-aria([name="Export as CSV"][role="menuitem"])');
    const file = (await downloads.take('curt-links.csv')).toString();
    await downloads.stop();
    for (const { alias } of await links()) expect(file).toContain(`"${alias}"`);

    await pressInBar('Pause');
    await expectText(page, 'Paused: 6');
    expect(await findFaults(page)).toEqual([]);
    await pressInBar('Delete');
    await expectText(page, 'Deleted: 6');
    expect(await links()).toEqual([]);
    await press(page, 'Undo');
    await expect.poll(async () => (await links()).length).toBe(6);
    await expect.poll(async () => (await titles(page)).length).toBe(6);
  });

  test('exports and deletes all links, also those that are not loaded, after a question, and undoes that', async () => {
    await createMany(120);
    await openLinks();
    await click(page, '.select');
    await press(page, 'Select all 121');
    await expectText(page, 'Selected: 121 links');
    const downloads = await fixture.chromium.collectDownloads();
    await click(page, '.bulk-wide [aria-haspopup="menu"]');
    await click(page, '::-p-aria([name="Export as JSON"][role="menuitem"])');
    const file = (await downloads.take('curt-links.json')).toString();
    await downloads.stop();
    expect(JSON.parse(file).links).toHaveLength(121);
    await pressInBar('Delete');
    await expectText(page, 'Delete: 121 links');
    expect(await findViolations(page)).toEqual([]);
    await click(page, 'dialog[open] .button.danger');
    await expectText(page, 'Deleted: 121');
    expect(await links()).toEqual([]);
    await press(page, 'Undo');
    // A page of the server's list.
    await expect.poll(async () => (await links()).length).toBe(100);
    await expect.poll(async () => (await titles(page)).length).toBeGreaterThan(5);
  });

  test('shortens a pasted URL at once, also into an empty list, whose field has the focus', async () => {
    const [{ alias } = { alias: '' }] = await links();
    await client.deleteLink({ alias, token });
    page = await fixture.chromium.openPage('about:blank');
    await signInWith(page, fixture.server, token);
    await expect.poll(() => nameOfFocused(page)).toBe('Paste a URL');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.type('not a url');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[aria-invalid=true]');
    expect(await links()).toEqual([]);
    await page.locator('#new-link').fill('example.com/pasted');
    await page.focus('#new-link');
    await page.keyboard.press('Enter');
    await expectText(page, 'Link created');
    expect(await links()).toMatchObject([{ originalUrl: 'https://example.com/pasted' }]);
    await press(page, 'Undo');
    await expect.poll(links).toEqual([]);
  });

  test('has single keys, which a sheet lists and a setting turns off', async () => {
    await createMany(2);
    await openLinks();
    await page.$eval('h1', (heading) => heading.focus());
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const row = () => page.evaluate(() => document.activeElement?.closest('.row')?.ariaPosInSet);
    await expect.poll(row).toBe('2');
    await page.keyboard.press('ArrowUp');
    await expect.poll(row).toBe('1');
    await page.keyboard.press('ArrowDown');
    await expect.poll(row).toBe('2');
    await page.keyboard.press('x');
    await expectText(page, 'Selected: 1');
    await page.keyboard.press('k');
    await page.keyboard.press('e');
    await expect.poll(() => nameOfFocused(page)).toBe('Destination');
    // In a field, they are letters.
    await page.keyboard.type('jkxe/?c');
    await page.keyboard.press('Escape');
    await expect.poll(row).toBe('1');
    await page.keyboard.press('.');
    await expect.poll(() => nameOfFocused(page)).toBe('Edit');
    // A key of the menu chooses its item.
    await page.keyboard.press('q');
    await page.waitForSelector('dialog[open] .qr-dark');
    await page.keyboard.press('Escape');
    await expect.poll(() => nameOfFocused(page)).toBe('Actions');
    await page.keyboard.press('p');
    await expectText(page, 'Paused.');
    await page.keyboard.press('Delete');
    await expect.poll(() => nameOfFocused(page)).toBe('Undo');
    await page.$eval('h1', (heading) => heading.focus());
    await page.keyboard.press('c');
    await expect.poll(() => nameOfFocused(page)).toBe('Paste a URL');
    await page.$eval('h1', (heading) => heading.focus());
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');

    await page.$eval('h1', (heading) => heading.focus());
    await page.keyboard.press('?');
    await expectText(page, 'Next or previous link');
    expect(await findViolations(page)).toEqual([]);
    await click(page, 'dialog[open] [type=checkbox]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog[open]', { hidden: true });
    await page.$eval('h1', (heading) => heading.focus());
    await page.keyboard.press('c');
    expect(await nameOfFocused(page)).toBe('Links');
    // It is the browser's, which other tests use, too.
    await page.evaluate(() => localStorage.clear());
  });

  test('leads to pages and links with Ctrl+K, unless keys are off', async () => {
    await openLinks();
    const pressKey = async () => {
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
    };
    const options = () =>
      page.$$eval('[role=option] .menu-label', (all) => all.map((one) => one.textContent));
    const active = () =>
      page.$eval('.palette [role=combobox]', (field) =>
        document
          .getElementById(field.getAttribute('aria-activedescendant') ?? '')
          ?.querySelector('.menu-label')
          ?.textContent?.trim(),
      );
    await pressKey();
    await expect.poll(options).toEqual(['Links', 'Statistics', 'Account', 'New link']);
    await expect.poll(() => nameOfFocused(page)).toBe('Go to a page or link');
    await page.keyboard.press('ArrowUp');
    await expect.poll(active).toBe('New link');
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toBe('Links');
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.type('acc');
    await expect.poll(options).toEqual(['Account']);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/\/dashboard\/account$/);
    await expect.poll(() => page.$('dialog.palette')).toBeNull();

    await pressKey();
    await page.waitForSelector('.palette [role=combobox]');
    // At once: after a pause between two keys, it searches.
    await page.keyboard.sendCharacter('nothing has this name');
    await expectText(page, 'No page or link found');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.$('dialog.palette')).toBeNull();
    await pressKey();
    await page.waitForSelector('.palette [role=combobox]');
    await page.keyboard.sendCharacter('first');
    await expect.poll(options).toEqual(['First']);
    await page.keyboard.press('Enter');
    await expect.poll(options).toEqual(['Copy', 'Edit', 'Link statistics']);
    await page.keyboard.press('Enter');
    await expectText(page, 'Short link copied');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.link-editor-dialog[open]');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.$('.link-editor-dialog[open]')).toBeNull();
    await pressKey();
    await page.waitForSelector('.palette [role=combobox]');
    await page.keyboard.sendCharacter('https://example.com/pasted?fbclid=x');
    await expect
      .poll(options)
      .toEqual([
        'Shorten: https://example.com/pasted',
        'Use the full URL: https://example.com/pasted?fbclid=x',
      ]);
    await page.keyboard.press('Enter');
    await expectText(page, 'Short link copied');
    expect((await links())[0]?.originalUrl).toBe('https://example.com/pasted');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/\/links\/[^/]+\/statistics$/);

    await page.evaluate(() => localStorage.setItem('single-keys', 'off'));
    // A key that opens the palette is kept from the browser.
    const isTaken = () =>
      page.evaluate(() => {
        const init = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
        return !document.body.dispatchEvent(new KeyboardEvent('keydown', init));
      });
    expect(await isTaken()).toBe(false);
    await page.evaluate(() => localStorage.clear());
    expect(await isTaken()).toBe(true);
  });

  test('sorts by alias', async () => {
    await createMany(3);
    await openLinks();
    await page.locator('::-p-aria([name="Sort by"])').fill('alias');
    const sorted = (await links()).toSorted((one, other) => (one.alias < other.alias ? -1 : 1));
    await expect.poll(() => titles(page)).toEqual(sorted.map(({ title }) => title));
  });

  test('leaves the keys of an input method to it', async () => {
    await openLinks();
    await page.focus('#search');
    const session = await page.createCDPSession();
    const word = { text: 'ふぁ', selectionStart: 2, selectionEnd: 2 };
    await session.send('Input.imeSetComposition', word);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await session.send('Input.insertText', { text: 'First' });
    await expectText(page, 'First: 1 link');
    expect(await titles(page)).toEqual(['First']);
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('.row:focus, .row :focus');
  });

  test('searches on the server, and filters by a tag that is clicked', async () => {
    await createMany(120);
    await client.editLink({
      alias: (await links())[0]?.alias ?? '',
      token,
      body: { tags: ['Print'] },
    });
    await openLinks();
    // Not among the loaded ones.
    await searchFor(page, 'first');
    await expect.poll(() => titles(page)).toEqual(['First']);
    await searchFor(page, '');
    await click(page, '.tag');
    await expect.poll(() => titles(page)).toHaveLength(1);
    const tagValue = () =>
      page.$eval('.tag-filter input', (field) => (field as HTMLInputElement).value);
    await expect.poll(tagValue).toBe('Print');
    await click(page, '.tag-filter input');
    await page.keyboard.press('Backspace');
    await expectText(page, '121 links');
  });

  test('loads more while the user scrolls, and renders only what is near', async () => {
    await createMany(400);
    await openLinks();
    await expectText(page, '401 links');
    expect(await page.$eval('.row', (row) => row.getAttribute('aria-setsize'))).toBe('401');
    await page.$eval('[type=search]', (field) => (field as HTMLElement).blur());
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return (await titles(page)).at(-1);
      })
      .toBe('First');
    expect(await page.$$eval('.row', (rows) => rows.length)).toBeLessThan(60);
  });

  test('shows results from the first one on, also to who has scrolled, on a phone', async () => {
    await createMany(40);
    await openLinks();
    await page.setViewport({ width: 360, height: 740 });
    const topOfResults = () =>
      page.evaluate(() => {
        const top = (name: string) => document.querySelector(name)?.getBoundingClientRect();
        return (top('.row')?.top ?? Number.NaN) - (top('.search')?.bottom ?? Number.NaN);
      });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(topOfResults).toBeLessThan(-500);
    await searchFor(page, 'Page 3');
    await expect.poll(topOfResults).toBeGreaterThanOrEqual(0);
  });

  test('is printed with all rows that are loaded', async () => {
    await createMany(49);
    await openLinks();
    await expect.poll(() => page.$$eval('.row', (rows) => rows.length)).toBeLessThan(50);
    await page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'));
    });
    expect(await page.$$eval('.row', (rows) => rows.length)).toBe(50);
    await page.evaluate(() => {
      dispatchEvent(new Event('afterprint'));
    });
    expect(await page.$$eval('.row', (rows) => rows.length)).toBeLessThan(50);
  });

  test('is filtered by a tag once it is chosen of a list with counts, which typing makes shorter', async () => {
    const bodies = [['Print'], ['print', 'New'], []].map((tags, index) => ({
      originalUrl: `https://example.com/${index}`,
      title: `Page ${index}`,
      tags,
    }));
    expect(await client.createLinks({ body: bodies, token })).toMatchObject({ ok: true });
    await openLinks();
    const options = () =>
      page.$$eval('[role=option]', (all) => all.map(({ textContent }) => textContent));
    await tabTo(page, 'Tag');
    await page.keyboard.press('ArrowDown');
    await expect.poll(options).toEqual(['print2', 'New1']);
    await page.keyboard.type('n');
    await expect.poll(options).toEqual(['print2', 'New1']);
    await page.keyboard.type('e');
    await expect.poll(options).toEqual(['New1']);
    expect(await findViolations(page)).toEqual([]);
    // By now, what is typed would have filtered the links.
    expect(await titles(page)).toHaveLength(4);
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual(['Page 1']);
    await click(page, '.tag-filter input');
    await click(page, '.tag-options button');
    await expect.poll(() => titles(page)).toHaveLength(4);
    await page.keyboard.type('xy');
    await expectText(page, 'No such tag');
    expect(await titles(page)).toHaveLength(4);
    await page.keyboard.press('Escape');
    await expect.poll(() => nameOfFocused(page)).toBe('Tag');
    expect(complaints).toEqual([]);
  });

  test('is used with the keyboard alone', async () => {
    await openLinks();
    await tabTo(page, 'Actions');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Edit');
    await page.keyboard.press('Enter');
    await expect.poll(() => nameOfFocused(page)).toBe('Destination');
    await tabTo(page, 'Title');
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual(['x']);
    await expect.poll(() => nameOfFocused(page)).toBe('Actions');
    await page.keyboard.press('e');
    await expect.poll(() => nameOfFocused(page)).toBe('Destination');
    await page.keyboard.press('Escape');
    await expect.poll(() => nameOfFocused(page)).toBe('Actions');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await expect.poll(() => titles(page)).toEqual(['First']);
  });

  test('is accessible and fits 320 px', async () => {
    await client.editLink({
      alias: (await links())[0]?.alias ?? '',
      token,
      body: {
        tags: ['Print', 'W'.repeat(40)],
        maxVisits: 3,
        expiresAt: '2040-01-31T12:00:00Z',
        isActive: false,
      },
    });
    await openLinks();
    expect(await findViolations(page)).toEqual([]);
    expect(await findColorFaults(page)).toEqual([]);
    await chooseInRow(page, 'Edit');
    await page.waitForSelector('.link-editor-dialog[open]');
    expect(await findViolations(page)).toEqual([]);
    await page.setViewport({ width: 320, height: 700 });
    expect(await findLayoutFaults(page)).toEqual([]);
  });
});
