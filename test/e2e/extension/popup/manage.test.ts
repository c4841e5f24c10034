import { expect, test } from 'vitest';
import { findFaults } from '../../support/checks/accessibility.ts';
import {
  expectStatus,
  fieldValue,
  fill,
  openPopup,
  press,
  savedLinks,
  shownLink,
  useFixture,
} from '../../support/extension/extension-fixture.ts';

const fixture = useFixture();

const visit = (path: string) =>
  fetch(`${fixture.server.baseUrl}/${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Firefox/153.0' },
  });

test('a link is edited in the popup that created it, and the next visit shows it', async () => {
  const popup = await openPopup(fixture);
  await shownLink(popup, 'Short link copied');
  await press(popup, 'Edit');
  await popup.waitForSelector('.edit-form');
  expect(await fieldValue(popup, 'Title')).toBe(await fixture.page.title());
  expect(await findFaults(popup)).toEqual([]);
  await fill(popup, 'Custom alias', 'renamed');
  await fill(popup, 'Password for visitors', 'open sesame');
  await press(popup, 'Save');
  await popup.waitForFunction(() =>
    document.querySelector('output')?.textContent?.endsWith('/renamed'),
  );
  await expectStatus(popup, 'Short link copied');
  expect(await fixture.chromium.readClipboard()).toBe(`${fixture.server.baseUrl}/renamed`);
  const [link] = await savedLinks(fixture);
  expect(link).toMatchObject({
    shortUrl: `${fixture.server.baseUrl}/renamed`,
    hasPassword: true,
  });
  const answer = await visit('renamed');
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toContain(fixture.page.url());
});

test('a link that existed before shows today’s visits, and can be paused and resumed', async () => {
  const first = await openPopup(fixture);
  const shortUrl = await shownLink(first, 'Short link copied');
  await first.close();
  const alias = new URL(shortUrl).pathname.slice(1);
  expect((await visit(alias)).status).toBe(302);

  await expect
    .poll(async () => {
      const popup = await openPopup(fixture);
      await expectStatus(popup, 'Already shortened, link copied');
      await popup.waitForSelector('.visits-today');
      const text = await popup.$eval('.visits-today', (one) => one.textContent);
      await popup.close();
      return text;
    })
    .toBe('1 visit today');

  const popup = await openPopup(fixture);
  await popup.waitForSelector('::-p-aria([name="Pause"][role="button"])');
  expect(await findFaults(popup)).toEqual([]);
  await press(popup, 'Pause');
  await popup.waitForSelector('::-p-aria([name="Resume"][role="button"])');
  expect((await visit(alias)).status).toBe(410);
  await popup.close();

  // Still the page's link: nothing else is created.
  const again = await openPopup(fixture);
  await again.waitForSelector('::-p-aria([name="Resume"][role="button"])');
  expect(await again.$eval('output', (one) => one.textContent)).toBe(
    shortUrl.replace(/^https?:\/\//, ''),
  );
  expect(await savedLinks(fixture)).toHaveLength(1);
  await press(again, 'Resume');
  await again.waitForSelector('::-p-aria([name="Pause"][role="button"])');
  expect((await visit(alias)).status).toBe(302);
});
