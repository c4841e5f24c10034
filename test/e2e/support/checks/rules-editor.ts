import type { Page } from 'puppeteer-core';

/** Opens the part of a form with the rules of a link, and waits for its editor. */
export async function openRules(page: Page): Promise<void> {
  await openPart(page, 'Destinations by device, country or time');
  await page.waitForSelector('.rules');
}

/** Opens a part of a form. */
export async function openPart(page: Page, label: string): Promise<void> {
  const isThere = (words: string) =>
    [...document.querySelectorAll('summary > span:not(.set)')].some(
      (one) => one.textContent === words,
    );
  await page.waitForFunction(isThere, {}, label);
  await page.$$eval(
    'details:not([open]) > summary',
    (closed, words) =>
      closed.find((one) => one.querySelector('span')?.textContent === words)?.click(),
    label,
  );
}

/** Opens all parts of the form for a link. */
export async function openParts(page: Page): Promise<void> {
  await page.waitForSelector('.link-fields details');
  await page.$$eval('.link-fields details', (parts) => {
    for (const part of parts) part.open = true;
  });
}

/** Where the rules of the form lead, in their order. */
export function ruleTargets(page: Page): Promise<string[]> {
  return page.$$eval('.rule input[inputmode="url"]', (inputs) =>
    inputs.map((input) => (input as HTMLInputElement).value),
  );
}

/** Types into a field of the form, by its name, instead of what is in it. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`input[name="${name}"]`);
  await field?.evaluate((input) => input.select());
  await field?.type(text);
}

/** What is below a field, by its name, as an error. */
export async function issueAt(page: Page, name: string): Promise<string> {
  return page.$eval(`[name="${name}"]`, (input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(),
  );
}

/** What “Try it” says. */
export function outcomes(page: Page): Promise<string[]> {
  return page.$$eval('.try-outcomes li', (items) => items.map((item) => item.textContent ?? ''));
}
