import { describe, expect, test } from 'vitest';
import type { FirefoxPage } from './support/browser/firefox-driver.ts';
import { redirectOf, useFirefox } from './support/extension/firefox-fixture.ts';
import { freePort } from './support/servers/free-port.ts';

const fixture = useFirefox();

async function openPopup(url: string): Promise<FirefoxPage> {
  await fixture.firefox.openTab(url);
  return fixture.firefox.clickToolbarButton();
}

const says = (page: FirefoxPage, text: string) =>
  page.waitFor(`return document.body.textContent.includes(${JSON.stringify(text)})`);

/** Presses a button of the popup. */
const press = (popup: FirefoxPage, name: string) =>
  popup.waitFor(`
    const found = [...document.querySelectorAll('button')].find(
      (one) => one.textContent.trim() === ${JSON.stringify(name)});
    found?.click();
    return found !== undefined;`);

test('a page in reader view is shortened as that page', async () => {
  const page = `${fixture.site.origin}/article?a=1&b=2`;
  const popup = await openPopup(`about:reader?url=${encodeURIComponent(page)}`);
  await says(popup, 'Short link copied');
  const shown = await popup.waitFor(`return document.querySelector('output')?.textContent`);
  expect(await redirectOf(`http://${shown}`)).toBe(page);
});

test('the QR code is customized in a tab, because choosing a color would close the popup', async () => {
  const popup = await openPopup(`${fixture.site.origin}/with-qr-code`);
  await says(popup, 'Short link copied');
  const shown = await popup.waitFor(`return document.querySelector('output')?.textContent`);
  await press(popup, 'QR code');
  await popup.waitFor(`return document.querySelector('.qr-dark[d^="M"]')`);
  expect(
    await popup.execute(`return document.querySelectorAll('[type=color], [type=file]').length`),
  ).toBe(0);
  await press(popup, 'Customize');
  await fixture.firefox.popupIsClosed();
  const tab = await fixture.firefox.findTab('qr.html');
  await says(tab, String(shown));
  await tab.execute(`
    document.querySelector('details').open = true;
    const color = document.querySelector('[type=color]');
    color.value = '#0b3d91';
    color.dispatchEvent(new Event('input', { bubbles: true }));`);
  await tab.waitFor(`return document.querySelector('.qr-dark').getAttribute('fill') === '#0b3d91'`);
});

describe('Escape closes the popup, which Firefox doesn’t tell', () => {
  /** Opens “More” of the link of a page, and types a title. */
  async function typeTitle(url: string, title: string): Promise<void> {
    await fixture.firefox.openTab(url);
    const first = await fixture.firefox.clickToolbarButton();
    await says(first, 'Short link copied');
    await press(first, 'More');
    await first.waitFor(`return document.querySelector('form.link-form')`);
    await first.execute(`document.querySelector('[name=title]').focus()`);
    await fixture.firefox.pressKeysInPopup([...title]);
    await first.waitFor(`return document.querySelector('[name=title]').value.endsWith('${title}')`);
    await fixture.firefox.pressKeysInPopup(['Escape']);
    await fixture.firefox.popupIsClosed();
  }

  const isFormOpen = `return document.querySelector('form.link-form') !== null`;

  test('so changes that were typed are offered, and come back only when asked for', async () => {
    await typeTitle(`${fixture.site.origin}/escaped-and-continued`, 'xyz');
    const again = await fixture.firefox.clickToolbarButton();
    await says(again, 'You have changes that aren’t saved.');
    expect(await again.execute(isFormOpen)).toBe(false);
    await press(again, 'Continue');
    await again.waitFor(`return document.querySelector('[name=title]').value.endsWith('xyz')`);
  });

  test('and discarded changes are gone', async () => {
    await typeTitle(`${fixture.site.origin}/escaped-and-discarded`, 'xyz');
    const again = await fixture.firefox.clickToolbarButton();
    await press(again, 'Discard');
    await again.waitFor(`return !document.body.textContent.includes('aren’t saved')`);
    const third = await fixture.firefox.clickToolbarButton();
    await says(third, 'Already shortened, link copied');
    expect(await third.execute(`return document.body.textContent`)).not.toContain('aren’t saved');
    await press(third, 'More');
    await third.waitFor(`return document.querySelector('[name=title]')`);
    expect(
      await third.execute(`return document.querySelector('[name=title]').value`),
    ).not.toContain('xyz');
  });

  test('and an alias that was being typed is not renamed', async () => {
    const popup = await openPopup(`${fixture.site.origin}/escaped-rename`);
    await says(popup, 'Short link copied');
    const shown = await popup.waitFor(`return document.querySelector('output')?.textContent`);
    await fixture.firefox.pressKeysInPopup(['q']);
    await popup.waitFor(`return document.querySelector('.alias-editor input')?.value === 'q'`);
    await fixture.firefox.pressKeysInPopup(['Escape']);
    await fixture.firefox.popupIsClosed();
    const again = await fixture.firefox.clickToolbarButton();
    await says(again, 'Already shortened, link copied');
    await again.waitFor(
      `return document.querySelector('output')?.textContent === ${JSON.stringify(shown)}`,
    );
  });
});

test('a page that can’t be loaded is shortened without the title of the error page', async () => {
  const url = `http://localhost:${await freePort()}/unreachable`;
  const tab = await fixture.firefox.openTab('about:blank');
  await fixture.firefox.startLoading(url);
  await tab.waitFor(`return document.documentURI.startsWith('about:neterror')`);
  // It tells the error page from others, and comes a little later than its text.
  await expect.poll(() => fixture.firefox.tabIcon()).toMatch(/^chrome:/);
  const popup = await fixture.firefox.clickToolbarButton();
  await says(popup, 'Short link copied');
  await press(popup, 'More');
  await popup.waitFor(`return document.querySelector('[name=title]')`);
  expect(await popup.execute(`return document.querySelector('[name=title]').value`)).toBe('');
});

test('a tab that is still loading says so, and what to do when it has loaded', async () => {
  await fixture.firefox.openTab('about:blank');
  const url = `${fixture.site.origin}/slow?held`;
  await fixture.firefox.startLoading(url);
  await expect.poll(() => fixture.site.asked).toContain('/slow?held');
  const popup = await fixture.firefox.clickToolbarButton();
  await says(popup, 'This page is still loading');
  fixture.site.release();
  await says(popup, 'The page is ready');
  const again = await fixture.firefox.clickToolbarButton();
  await says(again, 'Short link copied');
});
