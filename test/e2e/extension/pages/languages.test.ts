import type { Page } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { readLocales } from '../../../../shared/locales/read-locales.ts';
import { findLayoutFaults } from '../../support/checks/layout-faults.ts';
import { clickOn, useFixture } from '../../support/extension/extension-fixture.ts';
import { expectText } from '../../support/extension/links-page.ts';

describe.each([
  ['de', 'ltr'],
  ['fr', 'ltr'],
  ['es', 'ltr'],
  ['ja', 'ltr'],
  ['ar', 'rtl'],
])('in %s', (locale, direction) => {
  const fixture = useFixture({ locale });
  const texts = readLocales()[locale] ?? {};
  const say = (key: string): string => texts[key] ?? key;

  test('popup, form, settings and Getting started are translated and fit', async () => {
    const { chromium, site } = fixture;
    const page = await chromium.openPage(`${site.origin}/a-page`);
    const popup = await chromium.clickToolbarButton(page);
    await expectText(popup, say('short_link_copied'));
    await clickOn(popup, '.disclosure');
    await expectText(popup, say('hint_new_alias'));
    await isSound(popup);
    // URLs are written from left to right in every script.
    expect(await directionOf(popup, 'output')).toBe('ltr');
    expect(await directionOf(popup, '.prefixed')).toBe('ltr');
    expect(await startOf(popup, '.mark')).toBe(await startOf(popup, '.status'));
    await popup.close();

    const again = await chromium.clickToolbarButton(page);
    await expectText(again, say('link_exists_copied'));
    await again.waitForSelector('.link-bar .button + .button');
    expect(await topsOf(again, '.link-bar .button')).toHaveLength(1);
    await again.close();

    const undone = await chromium.openPage(`${site.origin}/undone`);
    const undo = await chromium.clickToolbarButton(undone);
    await expectText(undo, say('short_link_copied'));
    await clickOn(undo, '.status-line .link-button');
    await undo.waitForSelector('.status-title bdi');
    expect(await columnsOf(undo, '.status-title')).toBe(1);
    await undo.close();

    const long = await chromium.openPage(`${site.origin}/${'long/'.repeat(40)}`);
    const cutOff = await chromium.clickToolbarButton(long);
    await cutOff.waitForSelector('.target');
    expect(await showsStart(cutOff, '.target bdi')).toBe(true);
    await cutOff.close();
    await long.close();

    const settings = await chromium.openExtensionPage('options.html');
    await expectText(settings, say('command_with_options'));
    await isSound(settings);
    await fitsNarrowly(settings);

    const links = await chromium.openExtensionPage('links.html');
    await expectText(links, '/a-page');
    // Filters load after the first rows.
    await links.waitForSelector('.tag-field .input');
    await isSound(links);
    expect(await distanceFromStart(links, '.title', '.link-line')).toBeLessThan(2);
    expect(await isClearOf(links, '.tag-field .input', '.tag-field .icon')).toBe(true);
    await links.type('.tag-field .input', 'tag');
    expect(await isClearOf(links, '.tag-field .input', '.tag-field .icon')).toBe(true);
    await links.$eval('.tag-field .input', (input) => (input as HTMLInputElement).blur());
    await fitsNarrowly(links);
    expect(await distanceFromStart(links, '.title', '.link-line')).toBeLessThan(2);

    const welcome = await chromium.openExtensionPage('welcome.html');
    await expectText(welcome, say('command_with_options'));
    await isSound(welcome);
    await fitsNarrowly(welcome);
    expect(await splitWords(welcome, 'h1')).toEqual([]);
  });

  async function isSound(page: Page): Promise<void> {
    const root = await page.evaluate(() => {
      const { lang, dir, scrollWidth, clientWidth } = document.documentElement;
      return { lang, dir, title: document.title, overflows: scrollWidth > clientWidth };
    });
    expect(root).toEqual({
      lang: locale,
      dir: direction,
      title: expect.stringMatching(/./),
      overflows: false,
    });
    // Separate lines start at the script's own side.
    const heading = await page.$eval('h1', (h1) => {
      const { left, right } = h1.getBoundingClientRect();
      return left < innerWidth - right ? 'ltr' : 'rtl';
    });
    expect(heading).toBe(direction);
  }
});

/** 1280 px wide at 400 %: https://www.w3.org/TR/WCAG22/#reflow */
async function fitsNarrowly(page: Page): Promise<void> {
  await page.setViewport({ width: 320, height: 700 });
  expect(await findLayoutFaults(page)).toEqual([]);
}

/** The different vertical positions of elements. */
async function topsOf(page: Page, selector: string): Promise<number[]> {
  const tops = await page.$$eval(selector, (all) =>
    all.map((one) => Math.round(one.getBoundingClientRect().top)),
  );
  return [...new Set(tops)];
}

/** How far text is from the side of its box where the page's lines start, in pixels. */
function distanceFromStart(page: Page, text: string, box: string): Promise<number> {
  return page.evaluate(
    (textSelector, boxSelector) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(textSelector) as Element);
      const inner = range.getBoundingClientRect();
      const outer = (document.querySelector(boxSelector) as Element).getBoundingClientRect();
      const isRtl = document.documentElement.dir === 'rtl';
      return isRtl ? outer.right - inner.right : inner.left - outer.left;
    },
    text,
    box,
  );
}

/** How far a box is from the side of the window where lines start, in pixels. */
function startOf(page: Page, selector: string): Promise<number> {
  return page.$eval(selector, (element) => {
    const { left, right } = element.getBoundingClientRect();
    return document.documentElement.dir === 'rtl' ? innerWidth - right : left;
  });
}

/** Whether the first letter of text that may be cut off is in view. */
function showsStart(page: Page, selector: string): Promise<boolean> {
  return page.$eval(selector, (element) => {
    const range = document.createRange();
    range.setStart(element.firstChild as Text, 0);
    range.setEnd(element.firstChild as Text, 1);
    const { left, right } = range.getBoundingClientRect();
    for (let around: Element | null = element; around; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      if (left < box.left - 1 || right > box.right + 1) return false;
    }
    return true;
  });
}

/** How many columns of text a line has beside its icon. */
function columnsOf(page: Page, selector: string): Promise<number> {
  return page.$eval(
    selector,
    (line) => [...line.childNodes].filter(({ nodeName }) => nodeName !== 'svg').length,
  );
}

/** Whether the text of a field never lies below the icon in it. */
function isClearOf(page: Page, field: string, icon: string): Promise<boolean> {
  return page.evaluate(
    (fieldSelector, iconSelector) => {
      const input = document.querySelector(fieldSelector) as Element;
      const box = input.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(input);
      const over = (document.querySelector(iconSelector) as Element).getBoundingClientRect();
      const start = box.left + Number.parseFloat(paddingLeft);
      const end = box.right - Number.parseFloat(paddingRight);
      return over.right <= start || over.left >= end;
    },
    field,
    icon,
  );
}

/** Words that continue in the next line. */
function splitWords(page: Page, selector: string): Promise<string[]> {
  return page.$eval(selector, (element) => {
    const text = element.firstChild as Text;
    return [...text.data.matchAll(/\p{Script=Latin}+/gu)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1 ? [word] : [];
    });
  });
}

function directionOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => getComputedStyle(element).direction);
}
