import { describe, expect, test } from 'vitest';
import {
  accountAt,
  freePort,
  keepTokens,
  labels,
  openPopup,
  press,
  saveSettings,
  says,
  shownLink,
  statusOf,
  stored,
  useFixture,
} from '../support/extension-fixture.ts';
import { startServer } from '../support/server.ts';

const fixture = useFixture();

describe('what goes wrong is said, with what to do', () => {
  test('a server that is down, which a second try finds when it is up', async () => {
    const port = await freePort();
    await saveSettings(fixture, { serverOrigin: `http://localhost:${port}` });
    const popup = await openPopup(fixture);
    await says(popup, 'No server answers yet');
    const late = await startServer({ env: { PORT: String(port) } });
    try {
      await press(popup, 'Try now');
      await shownLink(popup, 'Short link copied');
    } finally {
      await late.stop();
    }
  });

  test('a server that is not Curt, which gets no address', async () => {
    await saveSettings(fixture, {
      serverOrigin: fixture.site.origin.replace('localhost', '127.0.0.1'),
    });
    const before = fixture.site.asked.length;
    await says(await openPopup(fixture), 'This is not a Curt server');
    expect(new Set(fixture.site.asked.slice(before))).toEqual(new Set(['/api/health']));
  });

  test('the minute’s limit, with its end', async () => {
    const strict = await startServer({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    try {
      await saveSettings(fixture, { serverOrigin: strict.baseUrl });
      const first = await openPopup(fixture);
      await shownLink(first, 'Short link copied');
      await first.close();
      await fixture.page.goto(`${fixture.page.url()}-again`);
      // The first call counted for its address, the second for its account: only a third is too many.
      const second = await openPopup(fixture);
      await shownLink(second, 'Short link copied');
      await second.close();
      await fixture.page.goto(`${fixture.page.url()}-again`);
      const third = await openPopup(fixture);
      await says(third, 'Too many links at once');
      expect(await statusOf(third)).toMatch(/again in (\d+ seconds?|1 minute) and tells you\./);
    } finally {
      await strict.stop();
    }
  });

  test('the month’s limit, with the day that ends it', async () => {
    const strict = await startServer({ env: { MONTHLY_QUOTA: '1' } });
    try {
      await saveSettings(fixture, { serverOrigin: strict.baseUrl });
      const first = await openPopup(fixture);
      await shownLink(first, 'Short link copied');
      await first.close();
      await fixture.page.goto(`${fixture.page.url()}-again`);
      const second = await openPopup(fixture);
      await says(second, 'This month’s links are used up');
      const { quota } = await accountAt(fixture, strict.baseUrl);
      expect(await statusOf(second)).toMatch(
        new RegExp(`${new Date(quota.resetsAt).getFullYear()} at|in \\d+ (minutes|seconds)`),
      );
    } finally {
      await strict.stop();
    }
  });

  test('a token that the server does not know: no link, no new account, the token kept', async () => {
    const accountTokens = { [fixture.server.baseUrl]: `curt_${'x'.repeat(43)}` };
    await keepTokens(fixture, accountTokens);
    const popup = await openPopup(fixture);
    await says(popup, 'The server does not know your token');
    expect((await stored(fixture)).accountTokens).toEqual(accountTokens);
  });

  test.each([
    ['chrome://version/', 'This page cannot be shortened'],
    ['about:blank', 'This page cannot be shortened'],
    ['data:text/html,<title>here</title>', 'This page cannot be shortened'],
  ])('%s cannot be shortened', async (address, words) => {
    await fixture.page.goto(address);
    const popup = await openPopup(fixture);
    await says(popup, words);
    expect(await labels(popup)).not.toContain('Options');
  });

  test('a page of the extension cannot be shortened', async () => {
    const settings = await fixture.chromium.openExtensionPage('options.html');
    const popup = await fixture.chromium.clickToolbarButton(settings);
    await says(popup, 'This page cannot be shortened');
    await settings.close();
  });

  test('a page of the short domain itself cannot be shortened', async () => {
    await fixture.page.goto(`${fixture.server.baseUrl}/no-such-link`);
    await says(await openPopup(fixture), 'This is short already');
  });
});
