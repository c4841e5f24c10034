import { expect, test } from 'vitest';
import type { browser } from 'wxt/browser';
import { useFixture, useFlakyNetwork } from '../../support/extension/extension-fixture.ts';

/** In the extension's own pages, where the functions handed to `evaluate` run. */
declare const chrome: typeof browser;

const LINKS = 6;

const fixture = useFixture();
const network = useFlakyNetwork(fixture);

test('a browser that has asked whether it may create links does not ask again for each link', async () => {
  for (let number = 0; number < LINKS; number++) {
    const payload = {
      request: { originalUrl: `https://example.com/preflight-${number}` },
      isPrivate: false,
    };
    const created = await fixture.quietPage.evaluate(
      (one) => chrome.runtime.sendMessage({ kind: 'createLink', payload: one }),
      payload,
    );
    expect(created).toMatchObject({ ok: true });
  }
  const countOf = (call: string) => network.asked.filter((asked) => asked === call).length;
  expect(countOf('POST /api/shorten')).toBe(LINKS);
  // The first link is created without a sign-in key, which is one more header of the others.
  expect(countOf('OPTIONS /api/shorten')).toBeLessThanOrEqual(2);
});
